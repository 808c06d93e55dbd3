package io.delayjob.server.console.internal.look;

import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.pages.Pages;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The queues that a reader can go to, for the box that Ctrl-K opens. */
@RestController
@RequestMapping(Pages.PATH)
public final class PlacesController {

    private final Looker looker;

    /** Names from looks. */
    public PlacesController(Looker looker) {
        this.looker = looker;
    }

    /** Their names, one per line. */
    @GetMapping(path = "/places", produces = MediaType.TEXT_PLAIN_VALUE)
    Mono<String> places(@RequestAttribute(Access.ATTRIBUTE) Access access) {
        access.require(Role.READ);
        return looker.now(access.grant()).map(look -> String.join("\n", look.names()));
    }
}

package io.delayjob.server.console.internal.audit;

import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.pages.BadInput;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.redisson.api.stream.StreamMessageId;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Shows who did what. Those who know of some queues only see what was done in these. */
@RestController
@RequestMapping(Pages.PATH)
public final class AuditController {

    private static final int PAGE = 100;
    private static final Pattern PLACE = Pattern.compile("\\d{1,18}-\\d{1,18}");

    private final Pages pages;
    private final Audit audit;

    /** Pages over an audit. */
    public AuditController(Pages pages, Audit audit) {
        this.pages = pages;
        this.audit = audit;
    }

    @GetMapping("/audit")
    Mono<ResponseEntity<String>> list(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam(defaultValue = "false") boolean unchanged,
            @RequestParam(required = false) @Nullable String before,
            ServerWebExchange exchange) {
        access.require(Role.OPERATE, Role.READ);
        return Mono.fromFuture(() -> audit.read(unchanged, PAGE + 1, place(before)))
                .map(read -> {
                    List<Audit.Placed> shown = read.stream()
                            .limit(PAGE)
                            .filter(placed -> access.isForAll()
                                    || (!placed.entry().queue().isEmpty()
                                            && access.isFor(placed.entry().queue())))
                            .toList();
                    String next = read.size() > PAGE ? read.get(PAGE - 1).place() : null;
                    return pages.show(
                            exchange,
                            Page.of("audit")
                                    .with("entries", shown)
                                    .with("unchanged", unchanged)
                                    .with("next", next));
                });
    }

    private static @Nullable StreamMessageId place(@Nullable String text) {
        if (text == null) {
            return null;
        }
        if (!PLACE.matcher(text).matches()) {
            throw BadInput.of("place");
        }
        return Audit.place(text);
    }
}

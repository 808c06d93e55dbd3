package io.delayjob.server.console.internal.pages;

import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Answers addresses of the console that no other route is for, as a page. */
@RestController
@RequestMapping(Pages.PATH)
public final class UnknownPages {

    private final Pages pages;

    /** Answers with a page. */
    public UnknownPages(Pages pages) {
        this.pages = pages;
    }

    @RequestMapping("/**")
    Mono<Void> unknown(ServerWebExchange exchange) {
        return pages.unknown(exchange);
    }
}

package io.delayjob.server.console.internal.access;

import io.delayjob.server.Access;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.web.Problems;
import org.springframework.core.annotation.Order;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Bounds how many requests of pages are worked on at once, because many of them look through jobs. Pages that are followed have a bound of their own. */
@Order(RequestsAtOnce.ORDER)
public final class RequestsAtOnce implements WebFilter {

    /** After those that find out who calls, and before the audit. */
    static final int ORDER = -1;

    private final Pages pages;
    private final AtOnce requests;

    /** Bounds the requests of some pages. */
    public RequestsAtOnce(Pages pages, AtOnce requests) {
        this.pages = pages;
        this.requests = requests;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Access access = exchange.getAttribute(Access.ATTRIBUTE);
        if (access == null
                || pages.pathOf(exchange)
                        .filter(path -> !Pages.LIVE.matches(path))
                        .isEmpty()) {
            return chain.filter(exchange);
        }
        return requests.once(access, chain.filter(exchange))
                .onErrorResume(ErrorResponseException.class, refused -> Problems.write(exchange, refused.getBody()));
    }
}

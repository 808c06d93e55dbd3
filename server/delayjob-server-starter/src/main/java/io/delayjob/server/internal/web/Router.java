package io.delayjob.server.internal.web;

import io.delayjob.server.web.Api;
import io.delayjob.server.web.Route;
import org.springframework.core.annotation.Order;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Finds the {@link Route} of a request before the filters that ask for it, after those that find out who calls. WebFlux is told, so that it does
 * not look again.
 */
@Order(Router.ORDER)
public final class Router implements WebFilter, HandlerMapping {

    /** Of the filter among filters, and of the mapping among those of WebFlux, the first of which has 0. */
    static final int ORDER = -1;

    private final RequestMappingHandlerMapping routes;

    /** Routes of a context. */
    public Router(RequestMappingHandlerMapping routes) {
        this.routes = routes;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return Api.serves(exchange)
                ? find(exchange).then(Mono.defer(() -> chain.filter(exchange)))
                : chain.filter(exchange);
    }

    /** A request that no route takes is refused by WebFlux. */
    private Mono<Object> find(ServerWebExchange exchange) {
        return routes.getHandler(exchange)
                .doOnNext(handler -> exchange.getAttributes().put(Route.HANDLER, handler))
                .onErrorComplete();
    }

    @Override
    public Mono<Object> getHandler(ServerWebExchange exchange) {
        return Mono.justOrEmpty(exchange.<Object>getAttribute(Route.HANDLER));
    }
}

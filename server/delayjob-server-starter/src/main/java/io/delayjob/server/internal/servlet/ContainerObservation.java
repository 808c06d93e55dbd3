package io.delayjob.server.internal.servlet;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.server.observation.ServerRequestObservationContext;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.filter.ServerHttpObservationFilter;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import reactor.core.publisher.Mono;

/**
 * Continues the observation of a request that a filter of the application has begun: carries that filter's thread locals over to the threads
 * of the API, and tells the observation which route was taken, as Spring MVC does for its own routes.
 */
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
public final class ContainerObservation implements WebFilter {

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return named(exchange, chain).contextCapture();
    }

    private static Mono<Void> named(ServerWebExchange exchange, WebFilterChain chain) {
        return ServerHttpRequestDecorator.getNativeRequest(exchange.getRequest()) instanceof HttpServletRequest request
                ? ServerHttpObservationFilter.findObservationContext(request)
                        .map(observed -> chain.filter(exchange)
                                .doOnTerminate(() -> name(observed, exchange))
                                .doOnCancel(() -> name(observed, exchange)))
                        .orElseGet(() -> chain.filter(exchange))
                : chain.filter(exchange);
    }

    private static void name(ServerRequestObservationContext observed, ServerWebExchange exchange) {
        PathPattern route = exchange.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
        if (route != null) {
            observed.setPathPattern(route.getPatternString());
        }
    }
}

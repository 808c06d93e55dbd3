package io.delayjob.server.internal.web;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Answers 400 where the beginning of the API's paths is written in another way, which only serves to lead around the rules of a proxy. */
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
public final class PlainPaths implements WebFilter {

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        String path = exchange.getRequest().getPath().pathWithinApplication().value();
        return Api.isPlain(path) || !Api.isAt(exchange)
                ? chain.filter(exchange)
                : Problems.write(exchange, Api.notPlain(path));
    }
}

package io.delayjob.server.internal.access;

import io.delayjob.server.web.Api;
import io.delayjob.server.web.Problem;
import io.delayjob.server.web.Problems;
import org.springframework.core.annotation.Order;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Answers 503 to requests of the API until the first token has been seen to. Nobody is known before that. */
@Order(FilterOrder.FIRST_TOKEN)
public final class BeforeFirstToken implements WebFilter {

    private final FirstToken first;

    /** A filter that waits for a token. */
    public BeforeFirstToken(FirstToken first) {
        this.first = first;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return first.isMade() || !Api.serves(exchange)
                ? chain.filter(exchange)
                : Problems.write(
                        exchange,
                        Problem.REDIS_UNAVAILABLE.detail(
                                "Redis has not answered since this server started; try again later"));
    }
}

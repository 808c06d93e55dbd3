package io.delayjob.server.internal.web;

import io.delayjob.server.web.Api;
import io.delayjob.server.web.BasePath;
import io.delayjob.server.web.Problems;
import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ProblemDetail;
import org.springframework.http.server.PathContainer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Marks the requests under the path of the API. */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class ApiFilter implements WebFilter {

    private final BasePath base;

    /**
     * A filter.
     *
     * @param base the path of the API
     */
    public ApiFilter(String base) {
        this.base = new BasePath(base);
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Optional<PathContainer> rest = base.rest(exchange);
        if (rest.isEmpty()) {
            return chain.filter(exchange);
        }
        Api.serve(exchange, rest.get());
        ApiPath.note(exchange, rest.get());
        Optional<ProblemDetail> refusal = base.refusal(exchange);
        return refusal.isPresent() ? Problems.write(exchange, refusal.get()) : chain.filter(exchange);
    }
}

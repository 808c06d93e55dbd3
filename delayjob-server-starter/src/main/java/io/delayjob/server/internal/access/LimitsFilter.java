package io.delayjob.server.internal.access;

import io.delayjob.server.internal.limits.Allowance;
import io.delayjob.server.internal.limits.Allowances;
import io.delayjob.server.internal.web.Problems;
import java.time.Duration;
import org.springframework.core.annotation.Order;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Answers 429 to callers who send more than they may, counts what the others send, and bounds how long they take to send a body. */
@Order(FilterOrder.LIMITS)
public final class LimitsFilter implements WebFilter {

    private final Allowances allowances;
    private final Duration bodyTimeout;

    /**
     * A filter.
     *
     * @param allowances what each caller may still send
     * @param bodyTimeout how long a body may take to arrive
     */
    public LimitsFilter(Allowances allowances, Duration bodyTimeout) {
        this.allowances = allowances;
        this.bodyTimeout = bodyTimeout;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Access access = exchange.getAttribute(Access.ATTRIBUTE);
        if (access == null) {
            return chain.filter(exchange);
        }
        Allowance allowance = allowances.of(access.caller(), access.limits());
        return allowance
                .refusal()
                .map(refusal -> Problems.write(exchange, refusal))
                .orElseGet(() -> chain.filter(exchange.mutate()
                                .request(new MeteredRequest(exchange.getRequest(), allowance, bodyTimeout))
                                .build())
                        // Of a filter that reads the body before its route does.
                        .onErrorResume(
                                ErrorResponseException.class, failure -> Problems.write(exchange, failure.getBody())));
    }
}

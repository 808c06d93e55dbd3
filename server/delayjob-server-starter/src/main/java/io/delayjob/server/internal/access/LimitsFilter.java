package io.delayjob.server.internal.access;

import io.delayjob.server.Access;
import io.delayjob.server.internal.limits.Allowance;
import io.delayjob.server.internal.limits.Allowances;
import io.delayjob.server.internal.web.CountedBodies;
import io.delayjob.server.web.Problems;
import java.util.Optional;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Answers 429 to callers who send more than they may, counts what the others send, and reads neither query nor body of a caller that may not send it. */
@Order(FilterOrder.LIMITS)
public final class LimitsFilter implements WebFilter {

    private final Allowances allowances;

    /**
     * A filter.
     *
     * @param allowances the remaining allowance of each caller
     */
    public LimitsFilter(Allowances allowances) {
        this.allowances = allowances;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Access access = exchange.getAttribute(Access.ATTRIBUTE);
        if (access == null) {
            return chain.filter(exchange);
        }
        Allowance allowance = allowances.of(access);
        return Mono.deferContextual(request -> {
            Optional<ProblemDetail> refused = allowance.refusal();
            CountedBodies.count(request, allowance::received);
            return refused.map(refusal -> Problems.write(exchange, refusal))
                    .orElseGet(() -> checked(exchange, chain, access)
                            // Thrown for a query, or by a filter that reads the body before its route does.
                            .onErrorResume(
                                    ErrorResponseException.class,
                                    failure -> Problems.write(exchange, failure.getBody())));
        });
    }

    private static Mono<Void> checked(ServerWebExchange exchange, WebFilterChain chain, Access access) {
        Runnable check = () -> ValueRoles.check(exchange, access);
        return Mono.defer(() -> {
            if (exchange.getRequest().getMethod().equals(HttpMethod.GET)) {
                check.run();
            }
            return chain.filter(exchange.mutate()
                    .request(new CheckedRequest(exchange.getRequest(), check))
                    .build());
        });
    }
}

package io.delayjob.server.internal.access;

import io.delayjob.server.Access;
import io.delayjob.server.internal.limits.Allowance;
import io.delayjob.server.internal.limits.Allowances;
import io.delayjob.server.internal.web.CountedBodies;
import io.delayjob.server.web.Api;
import io.delayjob.server.web.Problems;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Answers 429 to callers who send more than they may, counts what the others send, and reads no body of a caller that may not send it. The answers to a caller
 * that is refused again and again are held back.
 */
@Order(FilterOrder.LIMITS)
public final class LimitsFilter implements WebFilter {

    private static final Set<HttpStatusCode> REFUSALS =
            Set.of(HttpStatus.FORBIDDEN, HttpStatus.CONTENT_TOO_LARGE, HttpStatus.TOO_MANY_REQUESTS);

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
        exchange.getResponse().beforeCommit(() -> holdBack(exchange, allowance));
        return Mono.deferContextual(request -> {
            Optional<ProblemDetail> refused = allowance.refusal();
            CountedBodies.count(request, allowance::received);
            return refused.map(refusal -> Problems.write(exchange, refusal))
                    .orElseGet(() -> chain.filter(exchange.mutate()
                                    .request(new CheckedRequest(
                                            exchange.getRequest(), () -> BodyRoles.check(exchange, access)))
                                    .build())
                            // Of a filter that reads the body before its route does.
                            .onErrorResume(
                                    ErrorResponseException.class,
                                    failure -> Problems.write(exchange, failure.getBody())));
        });
    }

    private static Mono<Void> holdBack(ServerWebExchange exchange, Allowance allowance) {
        HttpStatusCode status = exchange.getResponse().getStatusCode();
        Duration pause = status != null && REFUSALS.contains(status) ? allowance.refused() : Duration.ZERO;
        return pause.isZero()
                ? Mono.empty()
                : Mono.delay(pause).publishOn(Api.threadOf(exchange)).then();
    }
}

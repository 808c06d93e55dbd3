package io.delayjob.server.internal.access;

import io.delayjob.server.Access;
import io.delayjob.server.internal.limits.Address;
import io.delayjob.server.internal.limits.Allowances;
import io.delayjob.server.web.Api;
import io.delayjob.server.web.Problems;
import java.time.Duration;
import java.util.Set;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Holds back the answers to a caller that is refused again and again, and to an address from which requests without a valid token come again
 * and again. Callers with a valid token who share that address wait for nothing.
 */
@Order(FilterOrder.LATE_REFUSALS)
public final class LateRefusals implements WebFilter {

    private static final Set<HttpStatusCode> REFUSALS = Set.of(
            HttpStatus.UNAUTHORIZED, HttpStatus.FORBIDDEN, HttpStatus.CONTENT_TOO_LARGE, HttpStatus.TOO_MANY_REQUESTS);

    private final Allowances allowances;

    /** A filter that counts refusals. */
    public LateRefusals(Allowances allowances) {
        this.allowances = allowances;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (Api.serves(exchange)) {
            exchange.getResponse().beforeCommit(() -> holdBack(exchange));
        }
        return chain.filter(exchange);
    }

    private Mono<Void> holdBack(ServerWebExchange exchange) {
        if (!isRefusal(exchange)) {
            return Mono.empty();
        }
        Access access = exchange.getAttribute(Access.ATTRIBUTE);
        Duration pause = access == null
                ? allowances.refused(Address.of(exchange))
                : allowances.of(access).refused();
        return pause.isZero()
                ? Mono.empty()
                : Mono.delay(pause).publishOn(Api.threadOf(exchange)).then();
    }

    /** Whether the request was refused; pages refuse by a redirect to the sign-in. */
    private static boolean isRefusal(ServerWebExchange exchange) {
        HttpStatusCode status = exchange.getResponse().getStatusCode();
        return status != null
                && (REFUSALS.contains(status) || (status.is3xxRedirection() && Problems.isWritten(exchange)));
    }
}

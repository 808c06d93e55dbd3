package io.delayjob.server.internal.protocols.mykit;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobClaims;
import io.delayjob.JobSettlement;
import io.delayjob.server.internal.claims.Undelivered;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Completes the message of an answer once the answer is written: what was handed out is consumed. What was not written is given back instead, see
 * {@link Undelivered}.
 */
public final class Consumed implements WebFilter {

    private static final Logger log = LoggerFactory.getLogger(Consumed.class);
    private static final String HANDED_OUT = "delayjob.mykit.handed-out";

    private final DelayJobClaims claims;

    /** Completes in an engine. */
    public Consumed(DelayJobClaims claims) {
        this.claims = claims;
    }

    /** Notes what the answer to a request hands out. */
    static void note(ServerWebExchange exchange, List<ClaimedJob> jobs) {
        exchange.getAttributes()
                .put(
                        HANDED_OUT,
                        jobs.stream()
                                .map(job -> new JobSettlement.Complete(job.handle(), null))
                                .toList());
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return chain.filter(exchange).then(Mono.defer(() -> complete(exchange)));
    }

    private Mono<Void> complete(ServerWebExchange exchange) {
        List<JobSettlement> consumed = exchange.getAttributeOrDefault(HANDED_OUT, List.of());
        return consumed.isEmpty() || !Undelivered.isDelivered(exchange)
                ? Mono.empty()
                : Mono.fromFuture(() -> claims.settleAsync(consumed)).then().onErrorResume(failure -> {
                    log.warn(
                            "{} messages that were handed out will be handed out again: {}",
                            consumed.size(),
                            failure.getMessage());
                    return Mono.empty();
                });
    }
}

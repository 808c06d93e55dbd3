package io.delayjob.server.internal.claims;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobClaims;
import io.delayjob.JobSettlement;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Gives back the jobs of an answer that could not be written because the caller had hung up. */
public final class Undelivered implements WebFilter {

    private static final Logger log = LoggerFactory.getLogger(Undelivered.class);
    private static final String JOBS = "delayjob.claimed";

    private final DelayJobClaims claims;

    /** Gives back to an engine. */
    public Undelivered(DelayJobClaims claims) {
        this.claims = claims;
    }

    /** Notes what the answer to a request contains. */
    static void note(ServerWebExchange exchange, List<ClaimedJob> jobs) {
        exchange.getAttributes().put(JOBS, jobs);
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return chain.filter(exchange).doOnError(failure -> giveBack(exchange)).doOnCancel(() -> giveBack(exchange));
    }

    private void giveBack(ServerWebExchange exchange) {
        List<ClaimedJob> jobs = exchange.getAttributeOrDefault(JOBS, List.of());
        if (!jobs.isEmpty()) {
            log.debug("the caller hung up: {} jobs are given back", jobs.size());
            claims.settleAsync(jobs.stream()
                            .map(job -> new JobSettlement.Release(job.handle()))
                            .toList())
                    .exceptionally(failure -> {
                        log.warn(
                                "jobs of a caller that hung up run again when their leases end: {}",
                                failure.getMessage());
                        return List.of();
                    });
        }
    }
}

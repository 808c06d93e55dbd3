package io.delayjob.server.internal.claims;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobClaims;
import io.delayjob.JobSettlement;
import io.delayjob.server.web.Problems;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Gives back the jobs of an answer that could not be written, because the caller had hung up or because another answer took its place: what was
 * claimed is for who got it. Those of a claim with an id wait half a
 * second for its repeat, at any server, and are left to it: it gave them a fresh lease.
 */
public final class Undelivered implements WebFilter {

    private static final Logger log = LoggerFactory.getLogger(Undelivered.class);
    private static final String ANSWER = "delayjob.claimed";
    private static final Duration TIME_TO_REPEAT = Duration.ofMillis(500);
    private static final int LOOKS_AT_ONCE = 16;

    private final DelayJobClaims claims;
    private final AsyncDelayJobAdmin admin;

    /** The claimed jobs in the answer to a request, and whether the claim has an id. */
    private record Answer(List<ClaimedJob> jobs, boolean hasId) {

        static final Answer NOTHING = new Answer(List.of(), false);
    }

    /** Gives back to an engine. */
    public Undelivered(DelayJobClaims claims, AsyncDelayJobAdmin admin) {
        this.claims = claims;
        this.admin = admin;
    }

    /**
     * Notes what the answer to a request contains.
     *
     * @param hasId whether the claim can be repeated
     */
    public static void note(ServerWebExchange exchange, List<ClaimedJob> jobs, boolean hasId) {
        exchange.getAttributes().put(ANSWER, new Answer(jobs, hasId));
    }

    /** Whether the answer to a request has its jobs: if none was written instead that says what went wrong. */
    public static boolean isDelivered(ServerWebExchange exchange) {
        HttpStatusCode status = exchange.getResponse().getStatusCode();
        return !Problems.isWritten(exchange) && (status == null || status.is2xxSuccessful());
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return chain.filter(exchange)
                .doOnSuccess(done -> giveBackUnlessDelivered(exchange))
                .doOnError(failure -> giveBack(exchange))
                .doOnCancel(() -> giveBack(exchange));
    }

    private void giveBackUnlessDelivered(ServerWebExchange exchange) {
        if (!isDelivered(exchange)) {
            giveBack(exchange);
        }
    }

    private void giveBack(ServerWebExchange exchange) {
        Answer answer = exchange.getAttributeOrDefault(ANSWER, Answer.NOTHING);
        Flux<ClaimedJob> jobs = Flux.fromIterable(answer.jobs());
        (answer.hasId() ? jobs.delaySubscription(TIME_TO_REPEAT).filterWhen(this::isNotRepeated, LOOKS_AT_ONCE) : jobs)
                .collectList()
                .filter(left -> !left.isEmpty())
                .flatMap(this::release)
                .subscribe(
                        done -> {},
                        failure -> log.warn(
                                "jobs of an answer that was not written run again when their leases end: {}",
                                failure.getMessage()));
    }

    private Mono<Boolean> isNotRepeated(ClaimedJob job) {
        return Mono.fromFuture(() -> admin.find(job.queue(), job.id()))
                .map(found -> found.filter(stored -> job.leaseEndsAt().equals(stored.leaseExpiresAt()))
                        .isPresent());
    }

    private Mono<List<Boolean>> release(List<ClaimedJob> jobs) {
        log.debug("the answer was not written: {} jobs are given back", jobs.size());
        return Mono.fromFuture(() -> claims.settleAsync(jobs.stream()
                .map(job -> new JobSettlement.Release(job.handle()))
                .toList()));
    }
}

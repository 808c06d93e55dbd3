package io.delayjob.server.internal.claims;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobClaims;
import io.delayjob.JobClaim;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.server.internal.access.Access;
import io.delayjob.server.internal.limits.Limits;
import io.delayjob.server.internal.limits.Places;
import io.delayjob.server.internal.web.Problem;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/** Claims jobs unless too many claims wait on this server, or too many queues are watched for them. What is refused claims nothing. */
public final class BoundedClaims {

    private static final long SOON = 2;

    /** A queue is watched until it has had no claim for a minute, so there is little hope for a place before. */
    private static final long LATER = 10;

    private final DelayJobClaims claims;
    private final DelayJobEngine engine;
    private final ClaimBounds bounds;
    private final Places waiting;

    /** Claims of an engine. */
    public BoundedClaims(DelayJobClaims claims, DelayJobEngine engine, ClaimBounds bounds) {
        this.claims = claims;
        this.engine = engine;
        this.bounds = bounds;
        this.waiting = new Places(bounds.waiting(), bounds.waitingPerCaller());
    }

    /** The jobs; it fails with an {@link org.springframework.web.ErrorResponseException} 429 if one of the bounds is reached. */
    public Mono<List<ClaimedJob>> claim(Access access, JobClaim claim) {
        if (claim.maxWait().isZero()) {
            return Mono.fromFuture(() -> begin(claim));
        }
        return Mono.defer(() -> {
            enter(access.caller());
            return Mono.fromFuture(() -> begin(claim)).doFinally(end -> waiting.leave(access.caller()));
        });
    }

    private CompletableFuture<List<ClaimedJob>> begin(JobClaim claim) {
        boolean adds = engine.watchedQueuesWith(claim.queues()) > engine.watchedQueuesWith(List.of());
        return adds ? beginWithMore(claim) : claims.claimAsync(claim);
    }

    /** One at a time, so that the queues of a claim count before those of the next. */
    private synchronized CompletableFuture<List<ClaimedJob>> beginWithMore(JobClaim claim) {
        if (engine.watchedQueuesWith(claim.queues()) > bounds.queues()) {
            throw Problem.thrown(Problem.tooMany(
                    "this server watches %d queues at most (%sclaimed-queues) until a minute after the last claim of each; wait %d s, ask another server, or name fewer queues"
                            .formatted(bounds.queues(), Limits.PROPERTIES, LATER),
                    LATER));
        }
        return claims.claimAsync(claim);
    }

    private void enter(String caller) {
        switch (waiting.take(caller)) {
            case ALL_TAKEN -> throw full("all callers have", bounds.waiting(), "waiting-claims");
            case CALLER_HAS_ALL -> throw full(caller + " has", bounds.waitingPerCaller(), "waiting-claims-per-token");
            case TAKEN -> {}
        }
    }

    private static RuntimeException full(String who, int count, String property) {
        return Problem.thrown(Problem.tooMany(
                "%s %d claims that wait on this server, as many as %s%s allows; wait %d s, claim more jobs at once (max), or claim without wait"
                        .formatted(who, count, Limits.PROPERTIES, property, SOON),
                SOON));
    }
}

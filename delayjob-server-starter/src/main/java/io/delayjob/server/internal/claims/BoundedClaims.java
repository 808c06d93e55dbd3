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
import java.util.function.Predicate;
import reactor.core.publisher.Mono;

/** Claims jobs unless too many claims wait on this server, or too many queues are watched for them. What is refused claims nothing. */
public final class BoundedClaims {

    private static final long SOON = 2;

    /** A queue is watched until it has had no claim for a minute, so there is little hope for a place before. */
    private static final long LATER = 10;

    private final DelayJobClaims claims;
    private final DelayJobEngine engine;
    private final ClaimBounds bounds;
    private final Predicate<String> isTopic;
    private final Places waiting;

    /**
     * Claims of an engine.
     *
     * @param isTopic whether a queue is that of a topic of an older protocol
     */
    public BoundedClaims(DelayJobClaims claims, DelayJobEngine engine, ClaimBounds bounds, Predicate<String> isTopic) {
        this.claims = claims;
        this.engine = engine;
        this.bounds = bounds;
        this.isTopic = isTopic;
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
        return engine.watchesQueues(claim.queues()) ? claims.claimAsync(claim) : beginWithMore(claim);
    }

    /** One at a time, so that the queues of a claim count before those of the next. */
    private synchronized CompletableFuture<List<ClaimedJob>> beginWithMore(JobClaim claim) {
        checkWatched(claim, isTopic.negate(), bounds.queues(), "queues", "claimed-queues");
        checkWatched(claim, isTopic, bounds.topics(), "topics of older protocols", "popped-topics");
        return claims.claimAsync(claim);
    }

    private void checkWatched(JobClaim claim, Predicate<String> counted, int most, String what, String property) {
        if (claim.queues().stream().anyMatch(counted) && engine.watchedQueuesWith(claim.queues(), counted) > most) {
            throw Problem.thrown(Problem.tooMany(
                    "this server watches %d %s at most (%s%s) until a minute after the last claim of each; wait %d s, ask another server, or name fewer"
                            .formatted(most, what, Limits.PROPERTIES, property, LATER),
                    LATER));
        }
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

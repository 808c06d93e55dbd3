package io.delayjob.server.internal.claims;

import io.delayjob.ClaimedJob;
import io.delayjob.DelayJobClaims;
import io.delayjob.JobClaim;
import io.delayjob.server.Access;
import io.delayjob.server.internal.limits.BoundedQueues;
import io.delayjob.server.internal.limits.NamedQueues;
import io.delayjob.server.limits.Limits;
import io.delayjob.server.limits.Places;
import io.delayjob.server.web.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import reactor.core.publisher.Mono;

/**
 * Claims jobs unless too many claims wait on this server, or too many queues are watched for callers. What is refused claims nothing. Queues that
 * only the application itself claims from, to deliver their jobs or run them, do not count.
 */
public final class BoundedClaims {

    private static final long SOON = 2;

    /** A queue is watched until it has had no claim for a minute, so there is little hope for a place before. */
    private static final long LATER = 10;

    private static final Duration WATCHED = Duration.ofMinutes(1);

    private final DelayJobClaims claims;
    private final BoundedQueues named;
    private final ClaimBounds bounds;
    private final Predicate<String> isTopic;
    private final Places waiting;
    private final Watched queues;
    private final Watched topics;

    /**
     * Claims of an engine.
     *
     * @param isTopic whether a queue is that of a topic of an older protocol
     */
    public BoundedClaims(DelayJobClaims claims, BoundedQueues named, ClaimBounds bounds, Predicate<String> isTopic) {
        this.claims = claims;
        this.named = named;
        this.bounds = bounds;
        this.isTopic = isTopic;
        this.waiting = new Places(bounds.waiting(), bounds.waitingPerCaller());
        this.queues = Watched.of("queues", "claimed-queues", bounds.queues(), bounds.queuesPerCaller());
        this.topics =
                Watched.of("topics of older protocols", "popped-topics", bounds.topics(), bounds.topicsPerCaller());
    }

    /** Queues of a kind that are watched for claims of callers. */
    private record Watched(String what, String property, int most, int mostPerCaller, NamedQueues queues) {

        static Watched of(String what, String property, int most, int mostPerCaller) {
            return new Watched(what, property, most, mostPerCaller, new NamedQueues(most, mostPerCaller, WATCHED));
        }

        void add(Access access, List<String> added, Duration wait) {
            switch (queues.name(access.caller(), added, wait)) {
                case ALL_TAKEN -> throw full("", most, property);
                case CALLER_HAS_ALL -> throw full(" for " + access.shown(), mostPerCaller, property + "-per-token");
                case TAKEN -> {}
            }
        }

        private RuntimeException full(String who, int bound, String its) {
            return Problem.thrown(Problem.tooMany(
                    "this server watches %d %s%s at most (%s%s), each until a minute after its last claim; wait %d s, ask another server, or name fewer"
                            .formatted(bound, what, who, Limits.PROPERTIES, its, LATER),
                    LATER));
        }
    }

    /** The jobs; it fails with an {@link org.springframework.web.ErrorResponseException} 429 if one of the bounds is reached. */
    public Mono<List<ClaimedJob>> claim(Access access, JobClaim claim) {
        if (claim.maxWait().isZero()) {
            return Mono.fromFuture(() -> begin(access, claim));
        }
        return Mono.defer(() -> {
            enter(access.caller());
            return Mono.fromFuture(() -> begin(access, claim)).doFinally(end -> waiting.leave(access.caller()));
        });
    }

    private CompletableFuture<List<ClaimedJob>> begin(Access access, JobClaim claim) {
        named.name(access, claim.queues());
        Map<Boolean, List<String>> byKind = claim.queues().stream().collect(Collectors.partitioningBy(isTopic));
        queues.add(access, byKind.getOrDefault(false, List.of()), claim.maxWait());
        topics.add(access, byKind.getOrDefault(true, List.of()), claim.maxWait());
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

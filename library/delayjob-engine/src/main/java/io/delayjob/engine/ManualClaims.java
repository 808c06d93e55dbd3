package io.delayjob.engine;

import io.delayjob.ClaimedJob;
import io.delayjob.JobClaim;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.claiming.Claims;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Feed;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Claims due jobs for workers elsewhere, without waiting, where {@link DelayJobEngine#start} is not called. For tests, with a ledger that
 * answers at once. Thread-safe.
 */
public final class ManualClaims {

    /** How long a queue counts as claimed after a claim, by the ledger's clock. */
    private static final Duration STAY = Duration.ofMinutes(1);

    private final Node node;
    private final String name;
    private final Claims claims;

    ManualClaims(Node node, Claims claims) {
        this.node = node;
        this.name = Feed.Presence.claims(node.settings().node());
        this.claims = claims;
        claims.startByHand();
    }

    /** The jobs that a claim gets now, whatever it would wait. */
    public List<ClaimedJob> claim(JobClaim claim) {
        shards(claim.queues()).forEach(this::register);
        return Futures.await(claims.claimAsync(claim.withMaxWait(Duration.ZERO)));
    }

    /** Tells the ledger that any job can be taken here, so that it hands out those that others have passed on. */
    private void register(Shard shard) {
        Feed.Presence presence = new Feed.Presence(name, STAY.toMillis(), 0, 0, Feed.Presence.ANY_JOB);
        Feed.Terms nobodyHolds = new Feed.Terms(0, STAY.toMillis(), 0, 1, shard.declaredLimits());
        Futures.await(shard.ledger().feed(new Feed.Request(presence, nobodyHolds, 0, Feed.Pulse.NONE)));
    }

    /**
     * The time until the next job of some queues becomes due, or its lease ends, in milliseconds; empty if there is none; zero if one is
     * due.
     */
    public OptionalLong millisToNext(Collection<String> queues) {
        return shards(queues)
                .map(this::look)
                .map(Claimed::nextMillis)
                .filter(Objects::nonNull)
                .mapToLong(Long::longValue)
                .min();
    }

    /** Claims no job, because the answer says when the next one is due. */
    private Claimed look(Shard shard) {
        ClaimRequest none = new ClaimRequest(name, 0, STAY.toMillis(), "none");
        return Futures.await(shard.ledger().claim(new Call(shard.laneName("look"), 1), none));
    }

    private Stream<Shard> shards(Collection<String> queues) {
        return queues.stream().flatMap(queue -> node.queues().shards(queue).stream());
    }
}

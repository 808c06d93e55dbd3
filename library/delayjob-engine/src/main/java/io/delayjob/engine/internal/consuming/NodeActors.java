package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.internal.actors.Actor;
import io.delayjob.engine.internal.actors.Rounds;
import io.delayjob.engine.ledger.Rings;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Stream;

/** The threads that serve all queues of this node. Started once and stopped once. */
public final class NodeActors {

    private static final Duration SPACING = Duration.ofMillis(2);

    private final DoorbellPoller poller;
    private final Rounds feeds = new Rounds("delayjob-feeder");
    private final Rounds renewals = new Rounds("delayjob-renewer");
    private final Rounds chores = new Rounds("delayjob-chores");
    private long nextFirstCallNanos = System.nanoTime();

    public NodeActors(Rings rings, ScheduledExecutorService scheduler) {
        this.poller = new DoorbellPoller(rings, scheduler);
    }

    /** The thread that listens for doorbells. */
    DoorbellPoller poller() {
        return poller;
    }

    /** The thread that feeds. */
    Rounds feeds() {
        return feeds;
    }

    /** The thread that renews leases. */
    Rounds renewals() {
        return renewals;
    }

    /** The thread for work that is not urgent, kept apart so that it never delays a renewal. */
    public Rounds chores() {
        return chores;
    }

    /**
     * How long a shard that starts now waits before its first call to Redis. If all shards called at once, they would need more
     * connections than there are.
     */
    synchronized Duration firstCall() {
        long now = System.nanoTime();
        long wait = Math.max(0, nextFirstCallNanos - now);
        nextFirstCallNanos = now + wait + SPACING.toNanos();
        return Duration.ofNanos(wait);
    }

    public void start() {
        actors().forEach(Actor::start);
    }

    /** Faults that prevent these threads from working, one sentence each. */
    Stream<String> faults() {
        return actors().map(Actor::fault).filter(Objects::nonNull);
    }

    /** Stops listening for doorbells, and rings again for those that a poll may have taken. */
    public void stopListening() {
        poller.stop();
    }

    /** Ends the other threads; those that renew leases end when nothing runs any more. Does not block. */
    public void leave() {
        poller.stop();
        feeds.stop();
        renewals.endWhenEmpty();
        chores.endWhenEmpty();
    }

    private Stream<Actor> actors() {
        return Stream.of(renewals, feeds, chores, poller);
    }
}

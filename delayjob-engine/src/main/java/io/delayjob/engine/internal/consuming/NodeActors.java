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

    /** Listens for doorbells. */
    DoorbellPoller poller() {
        return poller;
    }

    /** Feeds. */
    Rounds feeds() {
        return feeds;
    }

    /** Renews leases. */
    Rounds renewals() {
        return renewals;
    }

    /** Does what nothing waits for, so that it keeps no lease from being renewed. */
    Rounds chores() {
        return chores;
    }

    /** When a shard that is started now is to call Redis first: all at once they would need more connections than there are. */
    synchronized Duration firstCall() {
        long now = System.nanoTime();
        long wait = Math.max(0, nextFirstCallNanos - now);
        nextFirstCallNanos = now + wait + SPACING.toNanos();
        return Duration.ofNanos(wait);
    }

    public void start() {
        actors().forEach(Actor::start);
    }

    /** What keeps them from their work. */
    Stream<String> troubles() {
        return actors().map(Actor::trouble).filter(Objects::nonNull);
    }

    /** Hears no more rings, and gives back those it may have taken. */
    public void stopListening() {
        poller.stop();
    }

    /** Ends the others, those that keep leases when nothing runs any more. Waits for nothing. */
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

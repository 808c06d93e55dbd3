package io.delayjob.redisson.internal.engine;

import io.delayjob.redisson.internal.ledger.Doorbell;
import io.delayjob.redisson.internal.ledger.Feed;
import java.time.Duration;

/**
 * Tells the ledger that this node is alive and what it can run, and, on the node that the ledger makes the holder, arranges the doorbells of the
 * jobs that are due next.
 */
final class Feeder extends Actor {

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration HORIZON = Duration.ofSeconds(2);
    private static final Duration HOLD = Duration.ofSeconds(4);
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final int QUIET_LIMIT = 100;

    private final Shard shard;
    private final String node;
    private final Doorbell doorbell;
    private final Fleet fleet;
    private final Slots slots;
    private final JobRegistry registry;
    private final Duration lease;
    private boolean known;
    private volatile boolean holder;
    private long arrangedMillis;
    private volatile long answeredNanos = System.nanoTime();

    Feeder(
            Shard shard,
            String node,
            Doorbell doorbell,
            Fleet fleet,
            Slots slots,
            JobRegistry registry,
            Duration lease) {
        super("delayjob-" + shard.id() + "-feeder");
        this.shard = shard;
        this.node = node;
        this.doorbell = doorbell;
        this.fleet = fleet;
        this.slots = slots;
        this.registry = registry;
        this.lease = lease;
    }

    @Override
    void step() throws InterruptedException {
        Feed.Answer answer = Futures.await(shard.ledger().feed(request()));
        answeredNanos = System.nanoTime();
        fleet.nodes(answer.nodes());
        known = answer.known();
        if (answer.holder()) {
            hold(answer);
        } else {
            leave();
        }
        pause(holder ? PERIOD : fleet.period(PERIOD));
    }

    /** Whether this node arranges the doorbells. */
    boolean isHolder() {
        return holder;
    }

    /** When the ledger last answered: a {@link System#nanoTime}. */
    long answeredNanos() {
        return answeredNanos;
    }

    private Feed.Request request() {
        long stay = fleet.period(PERIOD).multipliedBy(3).plus(GRACE).toMillis();
        return new Feed.Request(
                node,
                stay,
                HOLD.toMillis(),
                lease.toMillis(),
                HORIZON.toMillis(),
                QUIET_LIMIT,
                arrangedMillis,
                slots.total(),
                slots.free(),
                known ? null : registry.names());
    }

    private void hold(Feed.Answer answer) {
        holder = true;
        doorbell.arrange(answer.doorbells());
        arrangedMillis = answer.watermarkMillis();
    }

    private void leave() {
        if (holder) {
            holder = false;
            arrangedMillis = 0;
            doorbell.leave();
        }
    }

    @Override
    void ended() {
        leave();
    }
}

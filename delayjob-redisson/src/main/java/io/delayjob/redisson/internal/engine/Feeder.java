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
    private final WakeSignal signal;
    private final Slots slots;
    private final JobRegistry registry;
    private final Duration lease;
    private boolean known;
    private long arrangedMillis;
    private volatile long answeredNanos = System.nanoTime();

    Feeder(
            Shard shard,
            String node,
            Doorbell doorbell,
            Fleet fleet,
            WakeSignal signal,
            Slots slots,
            JobRegistry registry,
            Duration lease) {
        super("delayjob-" + shard.id() + "-feeder");
        this.shard = shard;
        this.node = node;
        this.doorbell = doorbell;
        this.fleet = fleet;
        this.signal = signal;
        this.slots = slots;
        this.registry = registry;
        this.lease = lease;
    }

    @Override
    void stop() {
        super.stop();
        fleet.close();
    }

    /** It is registered for as long as it said, so a period that the answer makes longer begins with the next step. */
    @Override
    void step() throws InterruptedException {
        boolean held = fleet.isHolder();
        Duration period = fleet.watch(PERIOD);
        Feed.Answer answer = Futures.await(shard.ledger().feed(request(period)));
        answeredNanos = System.nanoTime();
        wakeIfNew(answer.mixed());
        fleet.fed(answer);
        known = answer.known();
        if (answer.holder()) {
            doorbell.arrange(answer.doorbells());
            arrangedMillis = answer.watermarkMillis();
            fleet.awaitSeat(PERIOD);
        } else {
            if (held) {
                leave();
            }
            fleet.awaitSeat(period);
        }
    }

    /** Whether this node arranges the doorbells. */
    boolean isHolder() {
        return fleet.isHolder();
    }

    /** When the ledger last answered: a {@link System#nanoTime}. */
    long answeredNanos() {
        return answeredNanos;
    }

    /** What was left to this node before it was there, or knew that such jobs may be, waits. */
    private void wakeIfNew(boolean mixed) {
        if (mixed && !fleet.isMixed()) {
            fleet.mixed();
            signal.ring();
        }
    }

    private Feed.Request request(Duration period) {
        long stay = period.multipliedBy(3).plus(GRACE).toMillis();
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

    private void leave() {
        arrangedMillis = 0;
        doorbell.leave();
    }

    @Override
    void ended() {
        if (fleet.isHolder()) {
            fleet.leave();
            leave();
        }
    }
}

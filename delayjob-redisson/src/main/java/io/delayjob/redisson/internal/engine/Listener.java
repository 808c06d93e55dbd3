package io.delayjob.redisson.internal.engine;

import io.delayjob.redisson.internal.ledger.Doorbell;
import io.delayjob.redisson.internal.ledger.ShardId;
import java.time.Duration;

/** Listens for the doorbell of a shard while this node has a free worker, and wakes the taker. */
final class Listener extends Actor {

    /** Bounded, because a poll without an end hangs for ever on a connection that died in silence. */
    private static final Duration POLL = Duration.ofSeconds(5);

    private static final Duration WAIT_FOR_WORKER = Duration.ofSeconds(1);

    private final Doorbell doorbell;
    private final Slots slots;
    private final WakeSignal signal;

    Listener(ShardId shard, Doorbell doorbell, Slots slots, WakeSignal signal) {
        super("delayjob-" + shard + "-listener");
        this.doorbell = doorbell;
        this.slots = slots;
        this.signal = signal;
    }

    @Override
    void step() throws InterruptedException {
        while (!isStopped() && !slots.awaitFree(WAIT_FOR_WORKER)) {
            // nobody could run what rings
        }
        if (!isStopped() && doorbell.awaitRing(POLL)) {
            signal.ring();
        }
    }

    /** Does not wait for the poll, which would hold up the end of the Redis client. */
    @Override
    void stop() {
        super.stop();
        interrupt();
    }

    /** The interrupted poll may have taken a ring that was meant for a node that goes on. */
    @Override
    void ended() {
        boolean unused = Thread.interrupted();
        doorbell.ring();
    }
}

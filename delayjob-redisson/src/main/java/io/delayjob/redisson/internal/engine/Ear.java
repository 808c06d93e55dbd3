package io.delayjob.redisson.internal.engine;

import io.delayjob.redisson.internal.ledger.Doorbell;
import io.delayjob.redisson.internal.ledger.ShardId;
import org.jspecify.annotations.Nullable;

/** What this node does when the doorbell of one shard rings: it wakes the taker. */
final class Ear {

    private final ShardId shard;
    private final Doorbell doorbell;
    private final Slots slots;
    private final WakeSignal signal;
    private final Failures failures;
    private boolean alone;

    Ear(ShardId shard, Doorbell doorbell, Slots slots, WakeSignal signal) {
        this.shard = shard;
        this.doorbell = doorbell;
        this.slots = slots;
        this.signal = signal;
        this.failures = new Failures("listening for the doorbell of " + shard, Failures.PATIENT);
    }

    ShardId shard() {
        return shard;
    }

    Failures failures() {
        return failures;
    }

    /** Whether this shard is waited for alone, because Redis refused to wait for it together with others. */
    boolean isAlone() {
        return alone;
    }

    void alone(boolean yes) {
        alone = yes;
    }

    /** It rang. */
    void ring() {
        signal.ring();
    }

    /** Another node is to have the ring. */
    void passOn() {
        doorbell.ring();
    }

    /** Whether this node could run now what rings. */
    boolean hasWorker() {
        return slots.free() > 0;
    }

    /** Does that once, after the shard's next claim, and so when this node had a worker again. */
    void onceClaimed(Runnable then) {
        signal.onceClaimed(then);
    }

    /** What keeps it from hearing; null if nothing does. */
    @Nullable String trouble() {
        return failures.trouble();
    }
}

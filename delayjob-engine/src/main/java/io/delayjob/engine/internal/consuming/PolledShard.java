package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.internal.actors.Failures;
import io.delayjob.engine.internal.running.Slots;
import io.delayjob.engine.ledger.Doorbell;
import io.delayjob.engine.ledger.ShardId;
import org.jspecify.annotations.Nullable;

/** One shard whose doorbell this node listens for, and what is done when it rings: the taker is woken. */
final class PolledShard {

    private final ShardId id;
    private final Doorbell doorbell;
    private final Slots slots;
    private final WakeSignal signal;
    private final Failures failures;
    private boolean alone;

    PolledShard(ShardId id, Doorbell doorbell, Slots slots, WakeSignal signal) {
        this.id = id;
        this.doorbell = doorbell;
        this.slots = slots;
        this.signal = signal;
        this.failures = new Failures("listening for the doorbell of " + id, Failures.PATIENT);
    }

    ShardId id() {
        return id;
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

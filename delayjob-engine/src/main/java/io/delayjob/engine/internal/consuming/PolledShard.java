package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.internal.actors.Failures;
import io.delayjob.engine.internal.running.Slots;
import io.delayjob.engine.ledger.Doorbell;
import io.delayjob.engine.ledger.ShardId;
import org.jspecify.annotations.Nullable;

/** A shard whose doorbell this node listens for; a ring wakes the shard's taker. */
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

    /** Whether this shard is polled alone, because Redis refused to poll it together with others. */
    boolean isAlone() {
        return alone;
    }

    void alone(boolean yes) {
        alone = yes;
    }

    /** Wakes the taker. */
    void ring() {
        signal.ring();
    }

    /** Passes a ring on to another node. */
    void passOn() {
        doorbell.ring();
    }

    /** Whether this node has a free worker for the job that rings. */
    boolean hasWorker() {
        return slots.free() > 0;
    }

    /** Runs a task once, after the shard's next claim, which is when this node has a free worker again. */
    void onceClaimed(Runnable then) {
        signal.onceClaimed(then);
    }

    /** What prevents it from listening; null if nothing does. */
    @Nullable String fault() {
        return failures.fault();
    }
}

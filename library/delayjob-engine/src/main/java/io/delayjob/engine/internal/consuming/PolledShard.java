package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.internal.actors.Failures;
import io.delayjob.engine.internal.running.Room;
import io.delayjob.engine.ledger.Doorbell;
import io.delayjob.engine.ledger.ShardId;
import org.jspecify.annotations.Nullable;

/**
 * A shard whose doorbell this node listens for; a ring wakes the shard's taker. A node that both runs the jobs of a queue and claims them
 * for workers elsewhere listens for each of its shards twice, as two nodes would. Compared by identity.
 */
final class PolledShard {

    private final ShardId id;
    private final Doorbell doorbell;
    private final Room room;
    private final Wake wake;
    private final Failures failures;
    private boolean alone;

    PolledShard(ShardId id, Doorbell doorbell, Room room, Wake wake) {
        this.id = id;
        this.doorbell = doorbell;
        this.room = room;
        this.wake = wake;
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

    /** Wakes the taker; false if another node has to hear the ring. */
    boolean ring() {
        return wake.ring();
    }

    /** Passes a ring on to another node. */
    void passOn() {
        doorbell.ring();
    }

    /** Whether this node has a free worker for the job that rings. */
    boolean hasWorker() {
        return room.free() > 0;
    }

    /** Runs a task once, after the shard's next claim, which is when this node has a free worker again. */
    void onceClaimed(Runnable then) {
        wake.onceClaimed(then);
    }

    /** The fault that prevents this node from listening for the doorbell; null if there is none. */
    @Nullable String fault() {
        return failures.fault();
    }
}

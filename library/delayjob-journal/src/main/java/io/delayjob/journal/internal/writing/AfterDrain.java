package io.delayjob.journal.internal.writing;

import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.ShardId;
import java.util.Collection;
import java.util.Set;

/** Work on a shard that needs to know all that has happened to its jobs, such as bringing them to Redis. */
public interface AfterDrain {

    /** Nothing to do. */
    AfterDrain NONE = new AfterDrain() {
        @Override
        public Collection<ShardId> waiting() {
            return Set.of();
        }

        @Override
        public boolean drained(ShardId shard, Fence fence) {
            return false;
        }
    };

    /** The shards that have such work now. Asked four times a second, outside transactions. */
    Collection<ShardId> waiting();

    /**
     * Does a bounded part of the work of a shard. Its flow log was read to its end and written, in the transaction of this thread,
     * which has the lock of the shard and is committed afterwards. If this throws, what it did itself is rolled back, and it is called
     * again later. May also be called for a shard that was not waiting.
     *
     * @param fence the fence of the shard when the log was read to its end
     * @return whether there is more to do at once
     */
    boolean drained(ShardId shard, Fence fence);

    /** For how long such work of a queue has waited, in milliseconds; 0 if there is none. */
    default long lagMillis(String queue) {
        return 0;
    }

    /** How many jobs of a queue this node has done such work for. */
    default double done(String queue) {
        return 0;
    }
}

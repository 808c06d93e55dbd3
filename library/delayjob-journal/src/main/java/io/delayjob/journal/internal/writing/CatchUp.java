package io.delayjob.journal.internal.writing;

import io.delayjob.engine.ledger.FlowPosition;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.ShardTable;
import java.time.Duration;
import java.util.function.Consumer;

/** Waits for what the nodes write. */
public final class CatchUp {

    private static final long PERIOD_MILLIS = 50;

    private final ShardTable shards;
    private final Consumer<ShardId> nudge;

    /**
     * Looks at the shards' rows.
     *
     * @param nudge makes this node look at a shard now
     */
    CatchUp(ShardTable shards, Consumer<ShardId> nudge) {
        this.shards = shards;
        this.nudge = nudge;
    }

    /**
     * Waits until any node has written the flow log of a shard up to a position.
     *
     * @param position as the ledger names it, such as {@code Flow.Missing.last}
     * @return false if it has not in time
     */
    public boolean await(ShardId shard, String position, Duration atMost) throws InterruptedException {
        FlowPosition target = FlowPosition.of(position);
        long until = System.nanoTime() + atMost.toNanos();
        while (!isWritten(shard, target)) {
            if (System.nanoTime() >= until) {
                return false;
            }
            nudge.accept(shard);
            Thread.sleep(PERIOD_MILLIS);
        }
        return true;
    }

    private boolean isWritten(ShardId shard, FlowPosition target) {
        return shards.find(shard)
                .filter(row -> row.written().compareTo(target) >= 0)
                .isPresent();
    }
}

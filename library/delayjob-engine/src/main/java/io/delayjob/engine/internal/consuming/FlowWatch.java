package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.ShardId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says when a full flow log keeps the jobs of a shard from being handed out. */
final class FlowWatch {

    private static final Logger log = LoggerFactory.getLogger(FlowWatch.class);

    private final ShardId shard;
    private volatile boolean full;

    FlowWatch(ShardId shard) {
        this.shard = shard;
    }

    /** Learns from the answer to a claim; logs when the log is full and when it is not any more. For one thread only. */
    void claimed(Claimed.Mode mode) {
        boolean now = mode == Claimed.Mode.FULL;
        if (now && !full) {
            log.warn(text());
        } else if (!now && full) {
            log.info("jobs of {} are handed out again", shard);
        }
        full = now;
    }

    private String text() {
        return "no jobs of " + shard
                + " are handed out, because its flow log is full: bring the database of its journal back, or raise "
                + "delayjob.journal.max-flow-entries";
    }

    /** The fault while the flow log is full; otherwise null. */
    @Nullable String fault() {
        return full ? text() : null;
    }
}

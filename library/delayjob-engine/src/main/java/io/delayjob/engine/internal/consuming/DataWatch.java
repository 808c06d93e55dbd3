package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.telemetry.QueueTelemetry;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notices by the pulse of a shard that its data was replaced since the last feed of this node. Guarded by its feeder's lock. */
final class DataWatch {

    private static final Logger log = LoggerFactory.getLogger(DataWatch.class);

    private final ShardId shard;
    private final QueueTelemetry telemetry;
    private final AtomicInteger replaced = new AtomicInteger();
    private Feed.Pulse last = Feed.Pulse.NONE;

    DataWatch(ShardId shard, QueueTelemetry telemetry) {
        this.shard = shard;
        this.telemetry = telemetry;
    }

    /** The pulse in the last feed's answer. */
    Feed.Pulse last() {
        return last;
    }

    /** How often the data was replaced. */
    int replaced() {
        return replaced.get();
    }

    /**
     * Checks the pulse in the answer to a feed.
     *
     * @param lostMillis the age of what was lost, at least, if the data is the same
     */
    void heard(Feed.Pulse pulse, long lostMillis) {
        boolean other = !last.equals(Feed.Pulse.NONE) && last.bornMillis() != pulse.bornMillis();
        last = pulse;
        if (other) {
            replaced.incrementAndGet();
            log.error(
                    "Redis has lost the jobs of {}: it was emptied, or an older copy of its data was put in its place. Jobs that were"
                            + " submitted before and are not in it will not run unless its data is restored. What is submitted from"
                            + " now on runs. Look for a FLUSHALL or FLUSHDB, for a restart without persistence, and for a restore",
                    shard);
            telemetry.replaced(shard);
        } else if (lostMillis > 0) {
            log.warn(
                    "Redis has lost its latest writes to {}, those of {} ms at least, as after a failover or a crash. Jobs that were"
                            + " submitted then may be gone, and jobs that ended then run again",
                    shard,
                    lostMillis);
        }
    }
}

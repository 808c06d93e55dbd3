package io.delayjob.journal.internal.writing;

import java.time.Duration;

/**
 * How the flow logs are written.
 *
 * @param maxFlowEntries the most entries that the log of a shard may have before its jobs wait, 1 or more
 * @param threads how many shards this node writes at once, 1 or more; each takes a connection of the database while it writes
 * @param stopTime how long a stop waits until everything is written
 */
public record WriterSettings(long maxFlowEntries, int threads, Duration stopTime) {

    /** With two threads, and five seconds to stop. */
    public static WriterSettings of(long maxFlowEntries) {
        return new WriterSettings(maxFlowEntries, 2, Duration.ofSeconds(5));
    }
}

package io.delayjob.engine.settings;

import io.delayjob.support.Checks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The queue that a bean or listener has this node consume. Null means the queue's setting.
 *
 * @param listener the listener's id; null for a bean
 * @param queue the queue; null for the default one
 * @param concurrency how many of its jobs run at once on this node
 * @param lease how long this node may be silent before its jobs go to others
 * @param autoStartup whether it is consumed from the start
 */
public record ConsumedQueue(
        @Nullable String listener,
        @Nullable String queue,
        @Nullable Integer concurrency,
        @Nullable Duration lease,
        @Nullable Boolean autoStartup) {

    /** That of a bean, which states nothing else for it. */
    public static ConsumedQueue ofBean(String queue) {
        return new ConsumedQueue(null, queue, null, null, null);
    }

    /** Checks the values. */
    public ConsumedQueue {
        Checks.ifGiven(queue, Checks::queue);
        Checks.ifGiven(concurrency, value -> Checks.atLeastOne(value, "concurrency"));
        Checks.ifGiven(lease, Checks::lease);
    }
}

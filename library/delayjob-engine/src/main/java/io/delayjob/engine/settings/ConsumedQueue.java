package io.delayjob.engine.settings;

import io.delayjob.support.Checks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The queue that this node consumes for a bean or listener, with the settings that it states. Null means the queue's own setting.
 *
 * @param listener the listener's id; null for a bean
 * @param queue the name of the queue; null for the default queue
 * @param concurrency how many of its jobs run at once on this node, at least 1
 * @param lease how long this node may be silent before its jobs go to others, at least 1 s
 * @param autoStartup whether the queue is consumed from the start; null for true
 */
public record ConsumedQueue(
        @Nullable String listener,
        @Nullable String queue,
        @Nullable Integer concurrency,
        @Nullable Duration lease,
        @Nullable Boolean autoStartup) {

    /** The queue of a bean, which states no other settings. */
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

package io.delayjob.engine.telemetry;

/**
 * Measures what happens on this node. Unlike event listeners, which may miss events, it is called for everything, at once and on
 * the thread on which it happens. Implementations must be thread-safe and quick, and must neither block nor throw.
 */
@FunctionalInterface
public interface Telemetry {

    /**
     * The name for all queues, and for all jobs, whose names this node does not know, because the number of foreign names is
     * unbounded.
     */
    String OTHER = "(other)";

    /** Measures nothing. */
    Telemetry NONE = queue -> QueueTelemetry.NONE;

    /**
     * The measurements of one queue.
     *
     * @param queue a queue of this node, or {@link #OTHER}
     */
    QueueTelemetry queue(String queue);

    /**
     * The measurements of one queue that this node has no settings of: jobs are only submitted to it here, or claimed for workers
     * elsewhere. By default those of {@link #OTHER}, because the number of such names is unbounded.
     */
    default QueueTelemetry foreignQueue(String queue) {
        return queue(OTHER);
    }

    /** Measures with both. */
    static Telemetry both(Telemetry one, Telemetry other) {
        if (one == NONE) {
            return other;
        }
        return other == NONE ? one : new BothTelemetries(one, other);
    }
}

package io.delayjob.engine.telemetry;

/**
 * Measures what happens on this node. Unlike events, which may be dropped, it is told of everything, at once and on the thread on
 * which it happens: what it does must be quick, must not wait and must not throw. Thread-safe.
 */
@FunctionalInterface
public interface Telemetry {

    /** Stands for all queues, and for all jobs, whose names this node does not know: names from elsewhere are without number. */
    String OTHER = "(other)";

    /** Measures nothing. */
    Telemetry NONE = queue -> QueueTelemetry.NONE;

    /**
     * What measures one queue.
     *
     * @param queue a queue that this node is for, or {@link #OTHER}
     */
    QueueTelemetry queue(String queue);
}

package io.delayjob.engine.telemetry;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The measurements of each queue. Beyond a bound, queues that this node has no settings of are measured together, because their number is
 * unbounded. Thread-safe.
 */
public final class QueueTelemetries {

    private static final int MOST_FOREIGN = 1000;

    private final Telemetry telemetry;
    private final Predicate<String> known;
    private final Map<String, QueueTelemetry> queues = new ConcurrentHashMap<>();
    private final Map<String, QueueTelemetry> foreign = new ConcurrentHashMap<>();

    public QueueTelemetries(Telemetry telemetry, Predicate<String> known) {
        this.telemetry = telemetry;
        this.known = known;
    }

    public QueueTelemetry of(String queue) {
        QueueTelemetry one = queues.get(queue);
        if (one == null) {
            one = foreign.get(queue);
        }
        return one == null ? made(queue) : one;
    }

    private QueueTelemetry made(String queue) {
        if (known.test(queue)) {
            return queues.computeIfAbsent(queue, telemetry::queue);
        }
        return foreign.size() < MOST_FOREIGN
                ? foreign.computeIfAbsent(queue, telemetry::foreignQueue)
                : queues.computeIfAbsent(Telemetry.OTHER, telemetry::queue);
    }
}

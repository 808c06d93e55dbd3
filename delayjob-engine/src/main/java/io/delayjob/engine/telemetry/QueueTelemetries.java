package io.delayjob.engine.telemetry;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** The measurements of each queue. The queues of this node are measured by their names, all others together. Thread-safe. */
public final class QueueTelemetries {

    private final Telemetry telemetry;
    private final Predicate<String> known;
    private final Map<String, QueueTelemetry> queues = new ConcurrentHashMap<>();

    public QueueTelemetries(Telemetry telemetry, Predicate<String> known) {
        this.telemetry = telemetry;
        this.known = known;
    }

    public QueueTelemetry of(String queue) {
        QueueTelemetry one = queues.get(queue);
        return one == null
                ? queues.computeIfAbsent(known.test(queue) ? queue : Telemetry.OTHER, telemetry::queue)
                : one;
    }
}

package io.delayjob.spring.internal.metrics;

import io.delayjob.engine.telemetry.QueueTelemetry;
import io.delayjob.engine.telemetry.Telemetry;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Measures what happens with the meters of a registry. */
public final class MicrometerTelemetry implements Telemetry {

    private final MeterRegistry registry;
    private final Map<String, QueueTelemetry> queues = new ConcurrentHashMap<>();

    public MicrometerTelemetry(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public QueueTelemetry queue(String queue) {
        return queues.computeIfAbsent(queue, name -> new QueueMeters(registry, name));
    }
}

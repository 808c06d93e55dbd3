package io.delayjob.spring.internal.metrics;

import io.delayjob.engine.telemetry.QueueTelemetry;
import io.delayjob.engine.telemetry.Telemetry;
import io.micrometer.core.instrument.MeterRegistry;

/** Measures what happens with the meters of a registry. */
public final class MicrometerTelemetry implements Telemetry {

    private final MeterRegistry registry;

    public MicrometerTelemetry(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public QueueTelemetry queue(String queue) {
        return new QueueMeters(registry, queue);
    }
}

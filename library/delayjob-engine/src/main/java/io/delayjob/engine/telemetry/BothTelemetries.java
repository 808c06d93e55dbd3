package io.delayjob.engine.telemetry;

/** Measures with both. */
record BothTelemetries(Telemetry one, Telemetry other) implements Telemetry {

    @Override
    public QueueTelemetry queue(String queue) {
        return new BothQueueTelemetries(one.queue(queue), other.queue(queue));
    }

    @Override
    public QueueTelemetry foreignQueue(String queue) {
        return new BothQueueTelemetries(one.foreignQueue(queue), other.foreignQueue(queue));
    }
}

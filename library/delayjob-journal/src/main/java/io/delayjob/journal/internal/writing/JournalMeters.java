package io.delayjob.journal.internal.writing;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Meters of the queues whose flow logs this node writes. */
public final class JournalMeters implements MeterBinder {

    private final FlowWriter writer;

    public JournalMeters(FlowWriter writer) {
        this.writer = writer;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        writer.onQueue(queue -> bind(queue, registry));
    }

    private void bind(String queue, MeterRegistry registry) {
        TimeGauge.builder("delayjob.journal.lag", () -> writer.state(queue).lagMillis(), TimeUnit.MILLISECONDS)
                .description("Time for which the oldest step that is not written to the journal has been in Redis")
                .tag("queue", queue)
                .register(registry);
        gauge(
                registry,
                queue,
                "delayjob.journal.flow.entries",
                "Entries of the longest flow log of a shard",
                QueueState::entries);
        gauge(
                registry,
                queue,
                "delayjob.journal.flow.bound",
                "Entries from which on the jobs of a shard wait",
                QueueState::bound);
        gauge(
                registry,
                queue,
                "delayjob.journal.lost",
                "Shards whose jobs Redis has lost, and that were not restored since",
                state -> state.lost().size());
        FunctionCounter.builder("delayjob.journal.steps", writer, from -> from.steps(queue))
                .description("Steps of jobs that this node has written to the journal")
                .tag("queue", queue)
                .register(registry);
        TimeGauge.builder(
                        "delayjob.journal.relay.lag", () -> writer.state(queue).relayLagMillis(), TimeUnit.MILLISECONDS)
                .description("Time for which a job has waited to be brought to Redis since its time for that came")
                .tag("queue", queue)
                .register(registry);
        FunctionCounter.builder("delayjob.journal.relayed", writer, from -> from.relayed(queue))
                .description("Jobs that this node has brought to Redis from the journal")
                .tag("queue", queue)
                .register(registry);
    }

    private void gauge(
            MeterRegistry registry, String queue, String name, String description, ToDoubleFunction<QueueState> value) {
        Gauge.builder(name, () -> value.applyAsDouble(writer.state(queue)))
                .description(description)
                .tag("queue", queue)
                .register(registry);
    }
}

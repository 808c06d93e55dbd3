package io.delayjob.spring.internal.metrics;

import io.delayjob.engine.telemetry.QueueTelemetry.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The meters of the jobs of one name in one queue. The name is not tagged {@code job}: Prometheus has a label of its own of that name. */
final class JobMeters {

    private final MeterRegistry registry;
    private final Tags tags;
    private final Map<Outcome, Timer> executions = new ConcurrentHashMap<>();
    final Counter retries;
    final Counter buried;
    final Counter lost;
    final Counter stale;

    JobMeters(MeterRegistry registry, String queue, String job) {
        this.registry = registry;
        this.tags = Tags.of("queue", queue, "job.name", job);
        this.retries = counter("delayjob.retries", "Jobs that wait for another attempt after one that failed");
        this.buried = counter("delayjob.buried", "Jobs that died");
        this.lost = counter("delayjob.leases.lost", "Attempts of this node that lost their lease");
        this.stale = counter("delayjob.settlements.stale", "Attempts that ended after their lease was lost");
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }

    void ended(Outcome outcome, long nanos) {
        Timer timer = executions.get(outcome);
        if (timer == null) {
            timer = executions.computeIfAbsent(outcome, this::execution);
        }
        timer.record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer execution(Outcome outcome) {
        return Timer.builder("delayjob.execution")
                .description("Time that an attempt took")
                .tags(tags)
                .tag("outcome", QueueMeters.tag(outcome))
                .register(registry);
    }
}

package io.delayjob.spring.internal.metrics;

import io.delayjob.engine.ledger.Tally;
import io.delayjob.engine.telemetry.Telemetry;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Gauges of the due jobs that wait for a handler which no live node has, by queue and name, for as long as such jobs wait. Names come
 * from outside, so only the first ones of a queue have a gauge each; the jobs of all others are counted together.
 */
final class UnhandledGauges {

    private static final int MOST_NAMES = 20;

    private final MeterRegistry registry;
    private final Tallies tallies;
    private final Map<String, MultiGauge> queues = new ConcurrentHashMap<>();

    UnhandledGauges(MeterRegistry registry, Tallies tallies) {
        this.registry = registry;
        this.tallies = tallies;
    }

    /** Shows the names of this answer, and no others, for a queue. */
    void show(String queue, Tally tally) {
        if (!tally.unhandled().isEmpty() || queues.containsKey(queue)) {
            Set<String> names = bounded(tally.unhandled()).keySet();
            queues.computeIfAbsent(queue, this::gauges)
                    .register(names.stream()
                            .map(name -> MultiGauge.Row.of(Tags.of("job.name", name), () -> count(queue, name)))
                            .collect(Collectors.toList()));
        }
    }

    private MultiGauge gauges(String queue) {
        return MultiGauge.builder("delayjob.unhandled")
                .description("Due jobs that wait for a handler which no live node has")
                .baseUnit("jobs")
                .tag("queue", queue)
                .register(registry);
    }

    private double count(String queue, String name) {
        Tally tally = tallies.of(queue);
        return tally == null ? Double.NaN : bounded(tally.unhandled()).getOrDefault(name, 0L);
    }

    private static Map<String, Long> bounded(Map<String, Long> jobs) {
        Map<String, Long> bounded = new TreeMap<>();
        jobs.forEach(
                (name, count) -> bounded.merge(bounded.size() < MOST_NAMES ? name : Telemetry.OTHER, count, Long::sum));
        return bounded;
    }
}

package io.delayjob.spring.internal.metrics;

import io.delayjob.QueueCounts;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.ledger.Tally;
import io.delayjob.engine.telemetry.Vitals;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Gauges of the queues of a node that runs jobs or serves claims: how their jobs stand in Redis, the same on every node. Of those that
 * it consumes, also how the node itself is doing. What is not known is NaN.
 */
public final class QueueGauges implements MeterBinder {

    private final DelayJobEngine engine;

    public QueueGauges(DelayJobEngine engine) {
        this.engine = engine;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Set<String> queues = engine.consumes() ? engine.queueNames() : Set.of();
        Tallies tallies = new Tallies(queues, engine::tally, System::nanoTime);
        tallies.onAnswer(new UnhandledGauges(registry, tallies)::show);
        queues.forEach(queue -> bindJobs(registry, queue, tallies));
        engine.consumedQueues().forEach(queue -> bindNode(registry, queue));
    }

    private static void bindJobs(MeterRegistry registry, String queue, Tallies tallies) {
        ofState(registry, queue, "delayed", tallies, QueueCounts::delayed);
        ofState(registry, queue, "ready", tallies, QueueCounts::ready);
        ofState(registry, queue, "reserved", tallies, QueueCounts::reserved);
        ofState(registry, queue, "dead", tallies, QueueCounts::dead);
        Gauge.builder(
                        "delayjob.paused",
                        () -> read(tallies, queue, tally -> tally.counts().paused() ? 1 : 0))
                .description("Whether the queue is paused: 1 or 0")
                .tag("queue", queue)
                .register(registry);
        TimeGauge.builder(
                        "delayjob.schedules.unserved",
                        () -> read(tallies, queue, Tally::unservedMillis),
                        TimeUnit.MILLISECONDS)
                .description("Time for which the earliest instant of a schedule has come and no node has served it")
                .tag("queue", queue)
                .register(registry);
        Gauge.builder("delayjob.keys.held", () -> read(tallies, queue, Tally::heldKeys))
                .description("Keys that limits hold back though a job of theirs is due")
                .tag("queue", queue)
                .register(registry);
        Gauge.builder("delayjob.jobs.limited", () -> read(tallies, queue, Tally::limitedJobs))
                .description("Due jobs that limits hold back, those of the queue or of their keys")
                .baseUnit("jobs")
                .tag("queue", queue)
                .register(registry);
        TimeGauge.builder("delayjob.overdue", () -> read(tallies, queue, Tally::overdueMillis), TimeUnit.MILLISECONDS)
                .description("Time for which the job that has waited longest for a worker or a handler has been due")
                .tag("queue", queue)
                .register(registry);
    }

    private static void ofState(
            MeterRegistry registry, String queue, String state, Tallies tallies, ToDoubleFunction<QueueCounts> count) {
        Gauge.builder("delayjob.jobs", () -> read(tallies, queue, tally -> count.applyAsDouble(tally.counts())))
                .description("Jobs of the queue, on all nodes")
                .baseUnit("jobs")
                .tag("queue", queue)
                .tag("state", state)
                .register(registry);
    }

    private static double read(Tallies tallies, String queue, ToDoubleFunction<Tally> value) {
        Tally tally = tallies.of(queue);
        return tally == null ? Double.NaN : value.applyAsDouble(tally);
    }

    private void bindNode(MeterRegistry registry, String queue) {
        Gauge.builder("delayjob.workers", read(queue, 0, vitals -> (double) vitals.workers()))
                .description("Jobs of the queue that this node runs at once at most")
                .baseUnit("workers")
                .tag("queue", queue)
                .register(registry);
        Gauge.builder("delayjob.workers.free", read(queue, 0, vitals -> (double) vitals.free()))
                .description("Jobs of the queue that this node could run besides now")
                .tag("queue", queue)
                .register(registry);
        Gauge.builder("delayjob.doorbells.held", read(queue, 0, vitals -> (double) vitals.held()))
                .description("Shards of the queue whose doorbells this node arranges")
                .tag("queue", queue)
                .register(registry);
        since(registry, queue, "delayjob.feed.age", "Time since Redis last answered a feed", Vitals::sinceFeed);
        since(registry, queue, "delayjob.claim.age", "Time since a taker last claimed or waited", Vitals::sinceClaim);
    }

    private void since(
            MeterRegistry registry, String queue, String name, String description, Function<Vitals, Duration> since) {
        TimeGauge.builder(
                        name,
                        read(queue, Double.NaN, vitals ->
                                (double) since.apply(vitals).toNanos()),
                        TimeUnit.NANOSECONDS)
                .description(description)
                .tag("queue", queue)
                .register(registry);
    }

    private Supplier<Number> read(String queue, double stopped, Function<Vitals, Double> value) {
        return () -> engine.vitals(queue).map(value).orElse(stopped);
    }
}

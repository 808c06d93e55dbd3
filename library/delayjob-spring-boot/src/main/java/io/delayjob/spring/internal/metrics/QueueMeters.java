package io.delayjob.spring.internal.metrics;

import io.delayjob.JobSubmissionException;
import io.delayjob.SubmitResult;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.telemetry.QueueTelemetry;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/** The meters of one queue. Each is looked up in the registry once, because runs may take less time than a look-up. */
final class QueueMeters implements QueueTelemetry {

    /** The buckets of the lateness, from 10 ms to 5 min. */
    private static final Duration[] LATENESS = LongStream.of(
                    10, 50, 100, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final MeterRegistry registry;
    private final String queue;
    private final Timer claim;
    private final DistributionSummary claimSize;
    private final Timer lateness;
    private final Counter expired;
    private final Counter lateDoorbells;
    private final Counter replaced;
    private final Timer fired;
    private final Map<String, Counter> skipped = new ConcurrentHashMap<>();
    private final Map<Enum<?>, Timer> submits = new ConcurrentHashMap<>();
    private final Map<String, JobMeters> jobs = new ConcurrentHashMap<>();

    QueueMeters(MeterRegistry registry, String queue) {
        this.registry = registry;
        this.queue = queue;
        this.claim = Timer.builder("delayjob.claim")
                .description("Time until Redis answered a claim for due jobs")
                .tag("queue", queue)
                .register(registry);
        this.claimSize = DistributionSummary.builder("delayjob.claim.size")
                .description("Jobs that a claim handed out")
                .baseUnit("jobs")
                .tag("queue", queue)
                .register(registry);
        this.lateness = Timer.builder("delayjob.lateness")
                .description("Time from when an attempt was due until it began")
                .serviceLevelObjectives(LATENESS)
                .tag("queue", queue)
                .register(registry);
        this.fired = Timer.builder("delayjob.schedules.fired")
                .description("Time from an instant of a schedule until its occurrence was stored")
                .serviceLevelObjectives(LATENESS)
                .tag("queue", queue)
                .register(registry);
        this.expired = counter("delayjob.leases.expired", "Jobs handed out again because their lease had run out");
        this.lateDoorbells = counter("delayjob.doorbells.late", "Times that a job was late and no doorbell had rung");
        this.replaced = counter(
                "delayjob.data.replaced",
                "Times that this node noticed that Redis had lost jobs of a shard: emptied, or an older copy of its data");
        // There from the start, so that the first failure is seen as one more.
        for (JobSubmissionException.Outcome outcome : JobSubmissionException.Outcome.values()) {
            submits.put(outcome, submitTimer(outcome));
        }
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name)
                .description(description)
                .tag("queue", queue)
                .register(registry);
    }

    @Override
    public void submitted(SubmitResult.Outcome outcome, long nanos) {
        submit(outcome, nanos);
    }

    @Override
    public void unconfirmed(JobSubmissionException.Outcome outcome, long nanos) {
        submit(outcome, nanos);
    }

    private void submit(Enum<?> outcome, long nanos) {
        Timer timer = submits.get(outcome);
        if (timer == null) {
            timer = submits.computeIfAbsent(outcome, this::submitTimer);
        }
        timer.record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer submitTimer(Enum<?> outcome) {
        return Timer.builder("delayjob.submit")
                .description("Time from a submit until it was known what became of its job")
                .tag("queue", queue)
                .tag("outcome", tag(outcome))
                .register(registry);
    }

    static String tag(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public void claimed(int size, long nanos) {
        claim.record(nanos, TimeUnit.NANOSECONDS);
        claimSize.record(size);
    }

    @Override
    public void expired() {
        expired.increment();
    }

    @Override
    public void began(long lateNanos) {
        lateness.record(lateNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void ended(String job, Outcome outcome, long nanos) {
        job(job).ended(outcome, nanos);
    }

    @Override
    public void retried(String job) {
        job(job).retries.increment();
    }

    @Override
    public void buried(String job) {
        job(job).buried.increment();
    }

    @Override
    public void lost(String job) {
        job(job).lost.increment();
    }

    @Override
    public void stale(String job) {
        job(job).stale.increment();
    }

    @Override
    public void lateDoorbell() {
        lateDoorbells.increment();
    }

    @Override
    public void fired(long lateMillis) {
        fired.record(lateMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    public void skipped(String reason, long instants) {
        skipped.computeIfAbsent(reason, this::skippedCounter).increment((double) instants);
    }

    private Counter skippedCounter(String reason) {
        return Counter.builder("delayjob.schedules.skipped")
                .description("Instants of schedules at which nothing ran")
                .tag("queue", queue)
                .tag("reason", reason.toLowerCase(Locale.ROOT))
                .register(registry);
    }

    @Override
    public void replaced(ShardId shard) {
        replaced.increment();
    }

    private JobMeters job(String name) {
        JobMeters known = jobs.get(name);
        return known == null ? jobs.computeIfAbsent(name, job -> new JobMeters(registry, queue, job)) : known;
    }
}

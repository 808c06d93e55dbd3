package io.delayjob.redisson.internal.engine;

import io.delayjob.redisson.internal.ledger.Backend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the jobs of one queue on this node. Started once and stopped once. */
final class QueueConsumer {

    private static final Logger log = LoggerFactory.getLogger(QueueConsumer.class);

    /** How long one call to Redis may hold up a stop. */
    private static final Duration CALL = Duration.ofSeconds(4);

    private static final Duration GRACE = Duration.ofMillis(500);

    private final String queue;
    private final Slots slots;
    private final List<ShardConsumer> shards;

    QueueConsumer(
            String queue,
            EngineSettings engine,
            Backend backend,
            List<Shard> shards,
            JobRegistry registry,
            ParamCodec params,
            WorkerThreads threads,
            ScheduledExecutorService scheduler) {
        QueueSettings settings = engine.queue(queue);
        this.queue = queue;
        this.slots = new Slots(settings.concurrency());
        Executor workers = threads.open(queue, settings.concurrency());
        this.shards = shards.stream()
                .map(shard -> new ShardConsumer(
                        shard,
                        engine.node(),
                        settings.lease(),
                        backend.doorbell(shard.id()),
                        slots,
                        workers,
                        new JobRunner(
                                shard,
                                settings,
                                registry,
                                params,
                                new UnableJobs(shard.id(), engine.unableTimeout()),
                                scheduler)))
                .toList();
    }

    void start() {
        shards.forEach(ShardConsumer::start);
    }

    /** First step of a stop: no job is claimed any more. */
    void stopTaking() {
        slots.close();
        shards.forEach(ShardConsumer::stopTaking);
    }

    /** Second step: running jobs end by themselves until the deadline, then they are interrupted and given back. */
    void drain(Deadline deadline) throws InterruptedException {
        for (ShardConsumer shard : shards) {
            if (!shard.awaitTaken(CALL)) {
                log.warn("a claim of queue {} is unanswered; what it was given runs again when its lease ends", queue);
            }
        }
        if (!slots.awaitAll(deadline.left())) {
            log.warn("jobs of queue {} still run at the end of the shutdown timeout and are interrupted", queue);
            shards.forEach(ShardConsumer::interruptRuns);
            if (!slots.awaitAll(GRACE)) {
                shards.forEach(ShardConsumer::abandonRuns);
            }
        }
    }

    /** Last step: what is settled reaches Redis, and this node leaves the fleet. */
    void close() throws InterruptedException {
        Deadline deadline = Deadline.after(CALL);
        while (!shards.stream().allMatch(ShardConsumer::settled) && !deadline.passed()) {
            Thread.sleep(5);
        }
        for (ShardConsumer shard : shards) {
            shard.close(CALL);
        }
    }
}

package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.internal.running.ShardRuns;
import io.delayjob.engine.internal.running.Slots;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.telemetry.Vitals;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the jobs of one queue on this node. Started once and stopped once. */
public final class QueueConsumer {

    private static final Logger log = LoggerFactory.getLogger(QueueConsumer.class);

    private final String queue;
    private final Slots slots;
    private final List<ShardConsumer> shards;
    private final NodeActors actors;

    public QueueConsumer(String queue, QueueSettings settings, Executor workers, Node node, NodeActors actors) {
        this.queue = queue;
        this.actors = actors;
        this.slots = new Slots(settings.concurrency());
        this.shards = node.queues().shards(queue).stream()
                .map(shard -> new ShardConsumer(
                        shard,
                        settings,
                        node.backend().doorbell(shard.id()),
                        slots,
                        new ShardRuns(shard, settings, slots, workers, node),
                        node))
                .toList();
    }

    public void start() {
        shards.forEach(shard -> shard.start(actors));
        actors.poller().add(polled());
    }

    private List<PolledShard> polled() {
        return shards.stream().map(shard -> shard.presence().polled()).toList();
    }

    public List<ShardConsumer> shards() {
        return shards;
    }

    /** How it is doing. */
    public Vitals vitals() {
        long now = System.nanoTime();
        return new Vitals(
                slots.total(),
                slots.free(),
                (int) shards.stream()
                        .filter(shard -> shard.presence().feeder().isHolder())
                        .count(),
                longest(shard -> now - shard.presence().feeder().answeredNanos()),
                longest(shard -> now - shard.taker().aliveNanos()),
                shards.stream()
                        .mapToInt(shard -> shard.presence().data().replaced())
                        .sum());
    }

    private Duration longest(ToLongFunction<ShardConsumer> nanos) {
        return Duration.ofNanos(shards.stream().mapToLong(nanos).max().orElse(0));
    }

    /** Faults that prevent it from running jobs, one sentence each. */
    public List<String> faults() {
        return Stream.concat(actors.faults(), shards.stream().flatMap(ShardConsumer::faults))
                .toList();
    }

    /** First step of a stop: no more jobs are claimed. */
    void stopTaking() {
        slots.close();
        actors.poller().remove(polled());
        shards.forEach(ShardConsumer::stopTaking);
    }

    /** Whether the current thread runs one of its jobs. */
    public boolean isOfThisThread() {
        return shards.stream().anyMatch(shard -> shard.runs().isOfThisThread());
    }

    /** Second step: waits for the answers to claims that are under way. */
    void awaitTaken(Deadline deadline) throws InterruptedException {
        for (ShardConsumer shard : shards) {
            if (!shard.awaitTaken(deadline.left())) {
                log.warn(
                        "Redis did not answer a claim of queue {}; jobs it handed out run when their leases end",
                        queue);
            }
        }
    }

    /** Third step: this node leaves the fleet, so that another one watches for the next job, and nothing is left to this one any more. */
    void leaveFleet() {
        shards.forEach(shard -> shard.presence().leave());
    }

    /** Fourth step: running jobs have until the deadline to end; then they are interrupted and given back. */
    void drain(Deadline deadline) throws InterruptedException {
        if (!slots.awaitAll(deadline.left())) {
            log.warn("jobs of queue {} still run at the end of the shutdown timeout and are interrupted", queue);
            shards.forEach(shard -> shard.runs().interrupt());
            shards.forEach(shard -> shard.runs().releaseUnacknowledged());
        }
    }

    /**
     * Fifth step: waits for interrupted jobs to end. A job that does not end keeps its lease for as long as it runs and this
     * process lives, so that it does not run elsewhere at the same time.
     */
    void awaitInterrupted(Deadline deadline) throws InterruptedException {
        if (!slots.awaitAll(deadline.left())) {
            log.warn(
                    "jobs of queue {} did not end when they were interrupted; each keeps its lease and runs again"
                            + " unless it ends before this process does",
                    queue);
        }
    }

    /** Sixth step: waits until all settlements have reached Redis. */
    void awaitSettled(Deadline deadline) throws InterruptedException {
        while (!shards.stream().allMatch(shard -> shard.shard().settled()) && !deadline.passed()) {
            Thread.sleep(5);
        }
    }

    /** Seventh step: waits for the feeders to end, so that the node has left when the stop is over. */
    void awaitFed(Deadline deadline) throws InterruptedException {
        for (ShardConsumer shard : shards) {
            shard.presence().awaitFed(deadline.left());
        }
    }

    /** Last step, also of a stop that was interrupted: this node leaves the fleet, if it has not yet, and ends its renewals. */
    void leave() {
        shards.forEach(ShardConsumer::leave);
    }
}

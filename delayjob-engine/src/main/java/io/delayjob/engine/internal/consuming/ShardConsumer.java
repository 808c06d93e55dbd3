package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.running.LeaseRenewer;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.internal.running.ShardRuns;
import io.delayjob.engine.internal.running.Slots;
import io.delayjob.engine.ledger.Doorbell;
import io.delayjob.engine.telemetry.QueueTelemetry;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the jobs of one shard on this node. Started once and stopped once. */
public final class ShardConsumer {

    private static final Logger log = LoggerFactory.getLogger(ShardConsumer.class);

    private final Shard shard;
    private final String node;
    private final ShardRuns runs;
    private final Taker taker;
    private final PolledShard polled;
    private final DataWatch data;
    private final Feeder feeder;
    private final LeaseRenewer renewer;
    private final Fleet fleet = new Fleet();
    private final WakeSignal signal = new WakeSignal();

    private volatile boolean left;

    ShardConsumer(Shard shard, Duration lease, Doorbell doorbell, Slots slots, ShardRuns runs, Node node) {
        this.shard = shard;
        this.node = node.settings().node();
        this.runs = runs;
        QueueTelemetry telemetry = node.hooks().telemetries().of(shard.id().queue());
        ServedShard served = new ServedShard(shard, this.node, lease, slots, fleet, signal);
        this.taker = new Taker(served, telemetry, runs::dispatch, doorbell::ring);
        this.polled = new PolledShard(shard.id(), doorbell, slots, signal);
        this.data = new DataWatch(shard.id(), telemetry);
        this.feeder = new Feeder(served, doorbell, node.registry(), data);
        this.renewer = new LeaseRenewer(shard, runs, node.hooks().events());
    }

    public Shard shard() {
        return shard;
    }

    public ShardRuns runs() {
        return runs;
    }

    Taker taker() {
        return taker;
    }

    PolledShard polled() {
        return polled;
    }

    Feeder feeder() {
        return feeder;
    }

    DataWatch data() {
        return data;
    }

    /** Jobs were passed on to nodes that have a handler for them, and this is one of them. */
    public void passedOn() {
        fleet.mixed();
        signal.ring();
    }

    void start(NodeActors actors) {
        Duration first = actors.firstCall();
        feeder.first(first);
        actors.renewals().add(renewer);
        actors.feeds().add(feeder);
        actors.chores().add(this::tidy);
        taker.start(first);
    }

    /** Does the chores of this shard; false once it has left and runs nothing any more. */
    private boolean tidy() {
        runs.forgetOver();
        runs.giveBackWaiting();
        return !left || !runs.isIdle();
    }

    /** What prevents it from running jobs, one sentence each. */
    Stream<String> faults() {
        return Stream.concat(
                Stream.of(taker.fault(), polled.fault(), feeder.fault(), renewer.fault())
                        .filter(Objects::nonNull),
                Stream.ofNullable(shard.refusal())
                        .map(refusal ->
                                "the outcome of jobs of " + shard.id() + " cannot be stored: " + refusal.getMessage()));
    }

    /** Stops claiming jobs, and releases those that have not started. */
    void stopTaking() {
        taker.stop();
        runs.stop();
    }

    boolean awaitTaken(Duration atMost) throws InterruptedException {
        return taker.awaitEnd(atMost);
    }

    void awaitFed(Duration atMost) throws InterruptedException {
        if (!feeder.awaitEnd(atMost)) {
            log.debug("feeder of {} is still busy and ends by itself", shard.id());
        }
    }

    /** Ends feeds, ends renewals when nothing runs any more, and removes the node from the fleet. Does not block. */
    void leave() {
        feeder.stop();
        left = true;
        renewer.stopWhenIdle();
        shard.ledger().resign(node).whenComplete((done, failure) -> {
            if (failure != null) {
                log.debug("{} could not be told that this node stops: {}", shard.id(), failure.toString());
            }
        });
    }
}

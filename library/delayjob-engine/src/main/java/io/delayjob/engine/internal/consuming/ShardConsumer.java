package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.running.LeaseRenewer;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.internal.running.ShardRuns;
import io.delayjob.engine.internal.running.Slots;
import io.delayjob.engine.ledger.Doorbell;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.telemetry.QueueTelemetry;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;

/** Runs the jobs of one shard on this node. Started once and stopped once. */
public final class ShardConsumer {

    private final Shard shard;
    private final ShardRuns runs;
    private final Taker taker;
    private final Presence presence;
    private final LeaseRenewer renewer;

    private volatile boolean left;

    ShardConsumer(Shard shard, QueueSettings settings, Doorbell doorbell, Slots slots, ShardRuns runs, Node node) {
        this.shard = shard;
        this.runs = runs;
        WakeSignal signal = new WakeSignal();
        QueueTelemetry telemetry = node.hooks().telemetries().of(shard.id().queue());
        ServedShard served =
                new ServedShard(shard, node.settings().node(), settings.lease(), slots, new Fleet(), signal);
        this.taker =
                new Taker(served, settings.priorityBoost(), slots, signal, telemetry, runs::dispatch, doorbell::ring);
        this.presence = new Presence(served, doorbell, node.registry()::names, node);
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

    Presence presence() {
        return presence;
    }

    /** Jobs were passed on to nodes that have a handler for them, and this is one of them. */
    public void passedOn() {
        presence.passedOn();
    }

    void start(NodeActors actors) {
        Duration first = actors.firstCall();
        actors.renewals().add(renewer);
        presence.start(actors, first);
        actors.chores().add(this::tidy);
        taker.start(first);
    }

    /** Does the chores of this shard; false once it has left and runs nothing any more. */
    private boolean tidy() {
        runs.forgetOver();
        runs.giveBackWaiting();
        return !left || !runs.isIdle();
    }

    /** Faults that prevent it from running jobs, one sentence each. */
    Stream<String> faults() {
        Stream<String> unsettled = Stream.ofNullable(shard.obstacle())
                .map(obstacle ->
                        "the outcome of jobs of " + shard.id() + " cannot be stored: " + obstacle.getMessage());
        return Stream.of(
                        Stream.of(taker.fault(), renewer.fault(), taker.fullFlow())
                                .filter(Objects::nonNull),
                        presence.faults(),
                        unsettled)
                .flatMap(faults -> faults);
    }

    /** Stops claiming jobs, and releases those that have not started. */
    void stopTaking() {
        taker.stop();
        runs.stop();
    }

    boolean awaitTaken(Duration atMost) throws InterruptedException {
        return taker.awaitEnd(atMost);
    }

    /** Ends feeds, ends renewals when nothing runs any more, and removes the node from the fleet. Does not block. */
    void leave() {
        left = true;
        renewer.stopWhenIdle();
        presence.leave();
    }
}

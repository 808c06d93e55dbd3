package io.delayjob.redisson.internal.engine;

import io.delayjob.redisson.internal.engine.Run.Interruption;
import io.delayjob.redisson.internal.ledger.Claimed;
import io.delayjob.redisson.internal.ledger.Doorbell;
import io.delayjob.redisson.internal.ledger.LedgerException;
import io.delayjob.redisson.internal.ledger.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The actors of one shard on this node, and the way of a job through them: claimed, run, settled. */
final class ShardConsumer {

    private static final Logger log = LoggerFactory.getLogger(ShardConsumer.class);

    private final Shard shard;
    private final String node;
    private final long leaseMillis;
    private final Slots slots;
    private final Executor workers;
    private final JobRunner runner;
    private final RunningJobs running = new RunningJobs();
    private final Taker taker;
    private final Listener listener;
    private final Feeder feeder;
    private final LeaseRenewer renewer;
    private volatile boolean stopping;

    ShardConsumer(
            Shard shard,
            String node,
            Duration lease,
            Doorbell doorbell,
            Slots slots,
            Executor workers,
            JobRunner runner) {
        this.shard = shard;
        this.node = node;
        this.leaseMillis = lease.toMillis();
        this.slots = slots;
        this.workers = workers;
        this.runner = runner;
        WakeSignal signal = new WakeSignal();
        Fleet fleet = new Fleet();
        this.taker = new Taker(shard, node, slots, signal, fleet, lease, this::dispatch);
        this.listener = new Listener(shard.id(), doorbell, slots, signal);
        this.feeder = new Feeder(shard, node, doorbell, fleet);
        this.renewer = new LeaseRenewer(shard, running);
    }

    void start() {
        List.of(renewer, feeder, taker, listener).forEach(Actor::start);
    }

    private void dispatch(Claimed.Job job) {
        Run run = new Run(job, leaseMillis);
        running.add(run);
        workers.execute(() -> work(run));
    }

    private void work(Run run) {
        try {
            settle(run, stopping ? new Settlement.Release(run.lease(), null) : runner.run(run));
        } catch (RuntimeException | Error e) {
            // Nothing of the job's own gets here. Its lease is no longer renewed, so that another attempt follows.
            running.remove(run);
            log.error(
                    "job {} in {} could not be run, it runs again when its lease ends",
                    run.lease().id(),
                    shard.id(),
                    e);
        } finally {
            slots.giveBack(1);
        }
    }

    private void settle(Run run, @Nullable Settlement settlement) {
        if (settlement == null) {
            lost(run);
            return;
        }
        shard.settle(settlement).whenComplete((held, failure) -> {
            running.remove(run);
            if (failure != null) {
                unsettled(run, Futures.ledgerException(failure));
            } else if (!held) {
                lost(run);
            }
        });
    }

    private void lost(Run run) {
        log.warn(
                "job {} in {} lost its lease in attempt {}: what this attempt did has no effect on it, another one runs",
                run.lease().id(),
                shard.id(),
                run.job().attempt());
    }

    private void unsettled(Run run, LedgerException failure) {
        log.warn(
                "how attempt {} of job {} in {} ended could not be stored, it runs again when its lease ends: {}",
                run.job().attempt(),
                run.lease().id(),
                shard.id(),
                failure.getMessage());
    }

    /** No job is claimed any more; those that have not started are released. */
    void stopTaking() {
        taker.stop();
        listener.stop();
        stopping = true;
    }

    boolean awaitTaken(Duration atMost) throws InterruptedException {
        return taker.awaitEnd(atMost);
    }

    /** Interrupts what still runs; it is released when it ends. */
    void interruptRuns() {
        running.all().forEach(run -> run.interrupt(Interruption.SHUTDOWN));
    }

    /** Releases what does not end although it was interrupted: the process is about to. */
    void abandonRuns() {
        running.all().forEach(run -> {
            log.warn(
                    "job {} in {} did not end when interrupted and is released while it runs",
                    run.lease().id(),
                    shard.id());
            settle(run, new Settlement.Release(run.lease(), null));
        });
    }

    boolean settled() {
        return shard.settled();
    }

    /** Ends the other actors and takes the node out of the fleet. */
    void close(Duration atMost) throws InterruptedException {
        feeder.stop();
        renewer.stop();
        if (!feeder.awaitEnd(atMost)) {
            log.debug("feeder of {} is still busy and ends by itself", shard.id());
        }
        shard.ledger().resign(node).whenComplete((done, failure) -> {
            if (failure != null) {
                log.debug("{} did not hear that this node stops: {}", shard.id(), failure.toString());
            }
        });
    }
}

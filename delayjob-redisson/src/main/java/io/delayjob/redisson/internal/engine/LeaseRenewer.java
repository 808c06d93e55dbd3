package io.delayjob.redisson.internal.engine;

import io.delayjob.JobEvent;
import io.delayjob.redisson.internal.ledger.Ledger;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the leases of a shard's runs alive, all that are due for it in one call, and interrupts a run whose lease was lost. */
final class LeaseRenewer extends Actor {

    private static final Logger log = LoggerFactory.getLogger(LeaseRenewer.class);

    /** A fifteenth of the shortest lease: between two looks no lease that is due for renewal gets near its end. */
    private static final Duration PERIOD = Duration.ofMillis(65);

    private final Shard shard;
    private final ShardRuns runs;
    private final RunningJobs running;
    private final JobEvents events;
    private volatile boolean stopsWhenIdle;

    LeaseRenewer(Shard shard, ShardRuns runs, JobEvents events) {
        super("delayjob-" + shard.id() + "-renewer");
        this.shard = shard;
        this.runs = runs;
        this.running = runs.running();
        this.events = events;
    }

    /** Ends it as soon as there is nothing to renew. */
    void stopWhenIdle() {
        stopsWhenIdle = true;
    }

    @Override
    void step() throws InterruptedException {
        pause(PERIOD);
        if (stopsWhenIdle && running.isEmpty()) {
            stop();
            return;
        }
        runs.forgetOver();
        runs.giveBackWaiting();
        List<Run> due =
                running.all().filter(Run::needsRenewal).limit(Ledger.MAX_BATCH).toList();
        if (!due.isEmpty()) {
            renew(due);
        }
    }

    private void renew(List<Run> due) {
        long asked = System.nanoTime();
        List<Boolean> answers = Futures.await(shard.ledger()
                .renew(due.stream()
                        .map(run -> new Ledger.Renewal(run.lease(), run.leaseMillis()))
                        .toList()));
        for (int i = 0; i < due.size(); i++) {
            if (answers.get(i)) {
                renewed(due.get(i), asked);
            } else {
                lost(due.get(i));
            }
        }
    }

    private void renewed(Run run, long askedNanos) {
        run.renewed(askedNanos);
        events.publish(
                JobEvent.Renewed.class,
                () -> new JobEvent.Renewed(
                        shard.id().queue(),
                        run.lease().id(),
                        run.jobName(),
                        run.job().attempt(),
                        Duration.ofMillis(run.leaseMillis())));
    }

    private void lost(Run run) {
        if (run.isSaid()) {
            running.remove(run);
            return;
        }
        log.debug("lease of job {} on {} is gone", run.lease().id(), shard.id());
        runs.lose(run, Run.Interruption.LEASE_LOST);
    }
}

package io.delayjob.engine.internal.running;

import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.running.Run.Interruption;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.Settlement;
import io.delayjob.engine.ledger.ShardLimits;
import io.delayjob.engine.telemetry.QueueTelemetry;
import io.delayjob.engine.telemetry.QueueTelemetry.Outcome;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores how the runs of one shard ended, on this node and on workers elsewhere. Measures it, and announces what the ledger has
 * confirmed. Thread-safe.
 */
final class Settlements {

    private static final Logger log = LoggerFactory.getLogger(Settlements.class);

    /** The time between two tries to slow down a shard that cannot be reached. */
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final Shard shard;
    private final Queues queues;
    private final JobEvents events;
    private final QueueTelemetry telemetry;
    private final ScheduledExecutorService scheduler;

    Settlements(Shard shard, Node node) {
        this.shard = shard;
        this.queues = node.queues();
        this.events = node.hooks().events();
        this.telemetry = node.hooks().telemetries().of(shard.id().queue());
        this.scheduler = node.scheduler();
    }

    /**
     * Stores the end of a run; answers false if the run no longer held its job.
     *
     * @param answered runs once the ledger has answered, before anything else
     */
    CompletableFuture<Boolean> store(Run run, Ending.Settle ending, Runnable answered) {
        ended(run, outcome(ending.settlement()));
        return shard.settle(ending.settlement()).whenComplete((held, failure) -> {
            answered.run();
            if (failure != null) {
                unsettled(run, Futures.ledgerException(failure));
            } else if (held) {
                settled(run, ending);
            } else if (run.interruption() != Interruption.CANCELLED) {
                telemetry.stale(run.knownName());
            }
        });
    }

    /** Stores that a run never was one, if it still holds its job; somebody else has it otherwise, which is as it should be. */
    void offer(Run run, Ending.Settle ending) {
        var unused = shard.settle(ending.settlement()).whenComplete((held, failure) -> {
            if (failure != null) {
                unsettled(run, Futures.ledgerException(failure));
            } else if (held) {
                ended(run, Outcome.RELEASED);
                settled(run, ending);
            }
        });
    }

    /** A run whose end need not be stored, because it is known to hold its job no more. */
    void tooLate(Run run, Outcome outcome) {
        ended(run, outcome);
        telemetry.stale(run.knownName());
    }

    private static Outcome outcome(Settlement settlement) {
        return switch (settlement.edge()) {
            case COMPLETE -> Outcome.COMPLETED;
            case RETRY -> Outcome.RETRIED;
            case BURY -> Outcome.DEAD;
            default -> Outcome.RELEASED;
        };
    }

    /** Measures the end of an attempt, if it had begun and was not measured before. */
    void ended(Run run, Outcome outcome) {
        if (run.hasBegun() && run.measure()) {
            telemetry.ended(run.knownName(), outcome, run.elapsedNanos());
        }
    }

    private void settled(Run run, Ending.Settle ending) {
        switch (ending.settlement().edge()) {
            case COMPLETE -> telemetry.completed(run.knownName());
            case RETRY -> telemetry.retried(run.knownName());
            case BURY -> telemetry.buried(run.knownName());
            default -> {
                // A job that was given back has not ended.
            }
        }
        if (ending.settlement() instanceof Settlement.Release back && back.slowMillis() != null && run.hasNoKey()) {
            slowOtherShards(back.slowMillis());
        }
        ending.announcement().accept(events);
    }

    /** A job without a key has slowed its queue. Its own shard did so when it took the job back. */
    private void slowOtherShards(long millis) {
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        queues.shards(shard.id().queue()).stream()
                .filter(other -> !other.id().equals(shard.id()))
                .forEach(other -> slow(other, endNanos).whenComplete((slowed, failure) -> {
                    if (failure != null) {
                        log.warn(
                                "{} is not slowed down before it can be reached again: {}",
                                other.id(),
                                failure.getMessage());
                        slowLater(other, endNanos);
                    }
                }));
    }

    /** Slows a shard down until then, unless that has come. */
    private static CompletableFuture<Boolean> slow(Shard other, long endNanos) {
        long left = Checks.ceilMillis(Duration.ofNanos(endNanos - System.nanoTime()));
        return left > 0
                ? Futures.call(() -> other.ledger().limits().slow(null, Duration.ofMillis(left)))
                : CompletableFuture.completedFuture(true);
    }

    /** Slows a shard down that could not be reached, as soon as it can, unless the queue has been resumed by then. */
    private void slowLater(Shard other, long endNanos) {
        try {
            scheduler.schedule(
                    () -> isSlow().thenCompose(
                                    slow -> slow ? slow(other, endNanos) : CompletableFuture.completedFuture(true))
                            .whenComplete((slowed, failure) -> {
                                if (failure != null && endNanos - System.nanoTime() > 0) {
                                    slowLater(other, endNanos);
                                }
                            }),
                    AGAIN.toMillis(),
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("{} is not slowed down: this node is closed", other.id());
        }
    }

    /** Whether the shard of the job, which was slowed with the others, still is: a resume ends that. */
    private CompletableFuture<Boolean> isSlow() {
        return Futures.call(() -> shard.ledger().limits().read(0))
                .thenApply(view -> view.begins().because() == ShardLimits.Begins.Because.SLOWED);
    }

    private void unsettled(Run run, LedgerException failure) {
        log.warn(
                "the outcome of attempt {} of job {} in {} could not be stored; the job runs again when its lease ends: {}",
                run.job().attempt().number(),
                run.lease().id(),
                shard.id(),
                failure.getMessage());
    }
}

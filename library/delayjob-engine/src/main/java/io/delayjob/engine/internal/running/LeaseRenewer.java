package io.delayjob.engine.internal.running;

import io.delayjob.JobEvent;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.internal.actors.Failures;
import io.delayjob.engine.internal.actors.Rounds;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.LedgerException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the leases of a shard's runs. Of the leases that are due for renewal, those nearest their end come first, in several calls
 * at once. A run whose lease was lost is interrupted.
 */
public final class LeaseRenewer implements Rounds.Visited {

    private static final Logger log = LoggerFactory.getLogger(LeaseRenewer.class);

    /** How many calls are under way at once, so that Redis has the next one as soon as it is done with one. */
    private static final int AT_ONCE = 4;

    private final Shard shard;
    private final ShardRuns runs;
    private final RunningJobs running;
    private final JobEvents events;
    private final Failures failures;
    private final AtomicBoolean underWay = new AtomicBoolean();
    private volatile boolean stopsWhenIdle;
    private volatile boolean shutDown;
    private volatile long nextNanos = System.nanoTime();

    /**
     * A run that is due for renewal.
     *
     * @param leaseNanos the time left of its lease, read only once because the job may extend the lease in the meantime
     */
    private record Due(Run run, long leaseNanos) {}

    public LeaseRenewer(Shard shard, ShardRuns runs, JobEvents events) {
        this.shard = shard;
        this.runs = runs;
        this.running = runs.running();
        this.events = events;
        this.failures = new Failures("delayjob-" + shard.id() + "-renewer", Failures.PROMPT);
    }

    /** Ends this as soon as there is nothing to renew. */
    public void stopWhenIdle() {
        stopsWhenIdle = true;
    }

    /** Starts the renewals that are due, unless the previous ones are still under way. */
    @Override
    public boolean visit() {
        if (shutDown || (stopsWhenIdle && running.isEmpty())) {
            return false;
        }
        if (nextNanos - System.nanoTime() <= 0 && underWay.compareAndSet(false, true)) {
            Futures.call(this::renewAll).whenComplete((done, failure) -> over(failure));
        }
        return true;
    }

    /** The fault that prevents it from renewing; null if there is none. */
    public @Nullable String fault() {
        return failures.fault();
    }

    private CompletableFuture<Void> renewAll() {
        Queue<List<Run>> calls = calls();
        return CompletableFuture.allOf(Stream.generate(() -> renewNext(calls))
                .limit(Math.min(AT_ONCE, calls.size()))
                .toArray(CompletableFuture<?>[]::new));
    }

    private Queue<List<Run>> calls() {
        long now = System.nanoTime();
        List<Run> sorted = running.all()
                .filter(Run::needsRenewal)
                .map(run -> new Due(run, run.leaseEndNanos() - now))
                .sorted(Comparator.comparingLong(Due::leaseNanos))
                .map(Due::run)
                .toList();
        Queue<List<Run>> calls = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < sorted.size(); i += Ledger.MAX_BATCH) {
            calls.add(sorted.subList(i, Math.min(sorted.size(), i + Ledger.MAX_BATCH)));
        }
        return calls;
    }

    private CompletableFuture<?> renewNext(Queue<List<Run>> calls) {
        List<Run> due = calls.poll();
        return due == null
                ? CompletableFuture.completedFuture(null)
                : renew(due).thenCompose(done -> renewNext(calls));
    }

    private CompletableFuture<Void> renew(List<Run> due) {
        long asked = System.nanoTime();
        return shard.ledger()
                .renew(due.stream()
                        .map(run -> new Ledger.Renewal(run.lease(), run.leaseMillis()))
                        .toList())
                .thenAccept(answers -> answered(due, answers, asked));
    }

    private void over(@Nullable Throwable failure) {
        if (failure == null) {
            failures.over();
        } else {
            failed(Futures.ledgerException(failure));
        }
        underWay.set(false);
    }

    private void failed(LedgerException failure) {
        shutDown = failure.kind() == LedgerException.Kind.SHUT_DOWN;
        Duration wait = shutDown ? Duration.ZERO : failures.add(failure);
        nextNanos = System.nanoTime() + wait.toNanos();
    }

    private void answered(List<Run> due, List<Boolean> answers, long askedNanos) {
        for (int i = 0; i < due.size(); i++) {
            if (answers.get(i)) {
                due.get(i).renewed(askedNanos);
            }
        }
        for (int i = 0; i < due.size(); i++) {
            if (answers.get(i)) {
                publish(due.get(i));
            } else {
                lost(due.get(i));
            }
        }
    }

    private void publish(Run run) {
        events.publish(
                JobEvent.Renewed.class, () -> run.renewal(shard.id().queue(), Duration.ofMillis(run.leaseMillis())));
    }

    private void lost(Run run) {
        if (run.isSettled()) {
            running.remove(run);
            return;
        }
        log.debug("lease of job {} on {} is gone", run.lease().id(), shard.id());
        runs.lose(run, Run.Interruption.LEASE_LOST);
    }
}

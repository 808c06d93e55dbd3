package io.delayjob.engine.internal.claiming;

import io.delayjob.Backoff;
import io.delayjob.ClaimedJob;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.internal.running.RemoteRun;
import io.delayjob.engine.internal.running.RemoteRuns;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.telemetry.QueueTelemetry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks the ledger of one shard for due jobs, on behalf of whoever claims them. Several calls may be under way. Thread-safe. */
final class ShardClaims {

    /** The most claims that ask at once: their calls then follow each other on the way to Redis without a gap. */
    private static final int MOST_AT_ONCE = 16;

    /** Between two tries of a call. */
    private static final Backoff PAUSE = Backoff.exponential(Duration.ofMillis(50), Duration.ofSeconds(2));

    private final Shard shard;
    private final String name;
    private final QueueSettings settings;
    private final ScheduledExecutorService scheduler;
    private final RemoteRuns runs;
    private final QueueTelemetry telemetry;
    private final Queue<Lane> lanes = new ConcurrentLinkedQueue<>();
    private volatile @Nullable ShardWatch watch;
    private volatile int atOnce = 1;

    /** The calls of one claim at a time; the number grows with each. */
    private static final class Lane {

        private final String name;
        private long number;

        Lane(String name) {
            this.name = name;
        }

        Call next() {
            return new Call(name, ++number);
        }
    }

    /**
     * The terms of a claim.
     *
     * @param id the id of the claim; null for none
     * @param max at most this many jobs; 0 for only those that a claim with this id got before
     * @param lease the lease of jobs without one of their own; null for that of the queue
     * @param worker the worker that runs the jobs, as it is stored with them; null for this node as one that claims for others
     */
    record Wanted(
            @Nullable String id,
            int max,
            @Nullable Duration lease,
            @Nullable String worker) {}

    /**
     * The result of a call.
     *
     * @param jobs the jobs that may be handed out
     * @param any whether the ledger handed out any, even if none of them may be
     * @param lost whether an attempt at one of them never ended, so that it is handed out beside few others
     * @param more whether more jobs are due
     */
    record Taken(List<Held> jobs, boolean any, boolean lost, boolean more) {}

    /** A job that may be handed out, and its run, which gives it back if nobody takes it. */
    record Held(ClaimedJob job, RemoteRun run) {}

    /** One call, however often it is sent. */
    private record Attempt(Call call, String random, Wanted wanted, long leaseMillis) {

        /** Whether another node may send the call too, because it is of a claim with an id. */
        boolean isShared() {
            return wanted.id() != null;
        }
    }

    /**
     * The claims of one shard.
     *
     * @param name the name of this node as one that claims for others
     */
    ShardClaims(Shard shard, String name, QueueSettings settings, Node node) {
        this.shard = shard;
        this.name = name;
        this.settings = settings;
        this.scheduler = node.scheduler();
        this.runs = new RemoteRuns(shard, settings, node);
        this.telemetry = node.hooks().telemetries().of(shard.id().queue());
    }

    ShardId id() {
        return shard.id();
    }

    Shard shard() {
        return shard;
    }

    /** Sets the listener for the results of claims, which decides when to ask again; null for none. */
    void watch(@Nullable ShardWatch newWatch) {
        watch = newWatch;
    }

    @Nullable ShardWatch watch() {
        return watch;
    }

    /**
     * How many claims that wait may ask at once. It is one unless more was due than the last claim got, and doubles with each answer that says so.
     * While it is one, a single job is for the claim that waits longest.
     */
    int atOnce() {
        return atOnce;
    }

    /** Lets another node hear of due jobs for which no claim waits here. */
    void ringAnother() {
        ShardWatch known = watch;
        if (known != null) {
            known.ringAnother();
        }
    }

    /** A claim left due jobs behind, and none waits here. */
    void leftDue() {
        ShardWatch known = watch;
        if (known != null) {
            known.leftDue();
        }
    }

    /**
     * Claims due jobs. Of a claim with an id that got jobs here before, on any node, it gets those that are still held.
     *
     * @param deadlineNanos until when the call is repeated if it may have run, a {@link System#nanoTime}
     */
    CompletableFuture<Taken> take(Wanted wanted, long deadlineNanos) {
        long leaseMillis = (wanted.lease() == null ? settings.lease() : wanted.lease()).toMillis();
        String id = wanted.id();
        if (id != null) {
            return take(new Attempt(ClaimIds.call(id), ClaimIds.random(id), wanted, leaseMillis), deadlineNanos);
        }
        Lane free = lanes.poll();
        Lane lane = free == null ? new Lane(shard.laneName("claims")) : free;
        String random = Long.toUnsignedString(ThreadLocalRandom.current().nextLong(), 36);
        return take(new Attempt(lane.next(), random, wanted, leaseMillis), deadlineNanos)
                // A lane whose call was not answered is not used again, so that nothing follows a call that may still
                // arrive.
                .whenComplete((taken, failure) -> {
                    if (failure == null) {
                        lanes.add(lane);
                    }
                });
    }

    private CompletableFuture<Taken> take(Attempt attempt, long deadlineNanos) {
        long asked = System.nanoTime();
        return send(attempt, 0, deadlineNanos)
                .thenApply(answer -> {
                    Taken taken = taken(attempt, answer, asked);
                    answered(attempt, answer, asked);
                    return taken;
                })
                .whenComplete((taken, failure) -> {
                    if (failure != null) {
                        failed(failure);
                    }
                });
    }

    /**
     * Sends a call, and repeats it if it may have run. After a repeat that found nothing, an earlier try gets nothing if it still
     * arrives; that of a shared call may get jobs, which the next repeat returns.
     */
    private CompletableFuture<Claimed> send(Attempt attempt, int tries, long deadlineNanos) {
        return call(attempt, bytes(tries), tries).exceptionallyCompose(failure -> {
            LedgerException known = Futures.ledgerException(failure);
            boolean mayHaveRun = tries > 0 || known.mayHaveRun();
            if (!mayHaveRun || isFinal(known)) {
                return CompletableFuture.failedFuture(known);
            }
            if (deadlineNanos - System.nanoTime() <= 0) {
                giveBack(attempt, tries + 1, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(attempt.leaseMillis()));
                return CompletableFuture.failedFuture(known.afterATryThatMayHaveRun());
            }
            return later(tries + 1).thenCompose(now -> send(attempt, tries + 1, deadlineNanos));
        });
    }

    /** Each try asks for an answer of a quarter of the size: the connection may be too slow for it. */
    private static int bytes(int tries) {
        return Ledger.MAX_CLAIM_BYTES >> Math.min(2 * tries, Integer.SIZE - 1);
    }

    private static boolean isFinal(LedgerException failure) {
        return failure.kind() == LedgerException.Kind.GARBLED || failure.kind() == LedgerException.Kind.SHUT_DOWN;
    }

    /**
     * Gives back the jobs that a call may have handed out to a claim that has failed by now; they would otherwise wait until their
     * leases end. Those of a shared call are left for a repeat of the claim.
     */
    private void giveBack(Attempt attempt, int tries, long untilNanos) {
        if (attempt.isShared()) {
            return;
        }
        var unused = later(tries).thenCompose(now -> call(attempt, 0, tries)).whenComplete((answer, failure) -> {
            boolean again = failure != null && !isFinal(Futures.ledgerException(failure));
            if (again && untilNanos - System.nanoTime() > 0) {
                giveBack(attempt, tries + 1, untilNanos);
            }
        });
    }

    private CompletableFuture<Claimed> call(Attempt attempt, int bytes, int tries) {
        int max = attempt.wanted().max();
        ShardWatch known = watch;
        String worker = attempt.wanted().worker();
        ClaimRequest request = new ClaimRequest(
                name,
                worker == null ? name : worker,
                new ClaimRequest.Limits(max, Math.min(Math.max(1, max), settings.concurrency()), bytes),
                attempt.leaseMillis(),
                attempt.random(),
                tries > 0 && !attempt.isShared(),
                known == null || known.isMixed(),
                0,
                settings.priorityBoost().toMillis());
        return Futures.call(() -> shard.ledger().claim(attempt.call(), request));
    }

    private CompletableFuture<Void> later(int tries) {
        CompletableFuture<Void> later = new CompletableFuture<>();
        try {
            long pause = PAUSE.after(tries, ThreadLocalRandom.current()).toMillis();
            scheduler.schedule(() -> later.complete(null), pause, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            later.completeExceptionally(new LedgerException(LedgerException.Kind.SHUT_DOWN, "this node is closed", e));
        }
        return later;
    }

    /** A call for no new jobs says nothing of when to ask again. */
    private void answered(Attempt attempt, Claimed answer, long askedNanos) {
        ShardWatch known = watch;
        if (known != null && attempt.wanted().max() > 0) {
            known.answered(answer, askedNanos);
        }
    }

    /** Also if an answer came and could not be used: then nobody asks for what else is due. */
    private void failed(Throwable failure) {
        ShardWatch known = watch;
        if (known != null) {
            known.failed(Futures.ledgerException(failure));
        }
    }

    private Taken taken(Attempt attempt, Claimed answer, long askedNanos) {
        telemetry.claimed(answer.jobs().size(), System.nanoTime() - askedNanos);
        List<Held> jobs = new ArrayList<>(answer.jobs().size());
        for (Claimed.Job job : answer.jobs()) {
            runs.admit(job, askedNanos).ifPresent(run -> jobs.add(new Held(claimed(run, attempt.leaseMillis()), run)));
        }
        atOnce = isMoreDue(answer) ? Math.min(MOST_AT_ONCE, 2 * atOnce) : 1;
        boolean lost = answer.jobs().stream().anyMatch(job -> job.lost() > 0);
        return new Taken(jobs, !answer.jobs().isEmpty(), lost, isMoreDue(answer));
    }

    private ClaimedJob claimed(RemoteRun run, long leaseMillis) {
        Claimed.Job job = run.job();
        long lease = job.leaseMillis() == null ? leaseMillis : job.leaseMillis();
        String topic = run.record().job();
        return new ClaimedJob(
                shard.id().queue(),
                job.lease().id(),
                topic,
                run.record().param(),
                run.record().headers(),
                job.attempt().number(),
                Instant.ofEpochMilli(job.dueMillis()),
                Instant.ofEpochMilli(run.record().submittedAtMillis()),
                Instant.ofEpochMilli(job.beginsMillis() + lease),
                run.options(Duration.ofMillis(lease)),
                ClaimHandle.of(shard.id(), job, topic).text());
    }

    static boolean isMoreDue(Claimed answer) {
        return answer.nextMillis() != null && answer.nextMillis() == 0;
    }
}

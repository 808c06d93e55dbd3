package io.delayjob.engine.internal.claiming;

import io.delayjob.ClaimedJob;
import io.delayjob.JobClaim;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.claiming.ShardClaims.Held;
import io.delayjob.engine.internal.claiming.ShardClaims.Taken;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.LedgerException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One claim until it is answered. It first asks all its queues in order, then waits in all of them, and asks a shard again when a job
 * is due there. Thread-safe.
 */
final class Waiter {

    private enum Phase {
        /** It asks the ledger, or is about to. */
        ASKING,
        /** It waits for a due job. */
        PARKED,
        /** It is answered, or about to be. */
        DONE
    }

    /**
     * A shard to ask.
     *
     * @param onlyRepeated whether to ask only for the jobs that a claim with the same id got before
     */
    private record Question(ShardClaims shard, boolean onlyRepeated) {}

    private final JobClaim claim;
    private final List<QueueClaims> queues;
    private final long callNanos;
    private final Executor callbacks;
    private final CompletableFuture<List<ClaimedJob>> answer = new CompletableFuture<>();
    private final List<Held> collected = new ArrayList<>();
    private Phase phase = Phase.ASKING;
    private boolean ended;
    private volatile boolean hasParked;
    private @Nullable LedgerException failure;

    /**
     * A claim.
     *
     * @param queues those that it names
     * @param callTimeout how long a call with an unknown outcome is repeated
     * @param callbacks completes the answer, so that what callers hang on it does not block other threads
     */
    Waiter(JobClaim claim, List<QueueClaims> queues, Duration callTimeout, Executor callbacks) {
        this.claim = claim;
        this.queues = queues;
        this.callNanos = callTimeout.toNanos();
        this.callbacks = callbacks;
    }

    /** Begins; the answer is also how the claim is cancelled. */
    CompletableFuture<List<ClaimedJob>> begin(ScheduledExecutorService scheduler) {
        // Before anything else, because the wait may end, or the claim be cancelled, at any time.
        Future<?> end = schedule(scheduler);
        var unused = answer.whenComplete((jobs, gone) -> {
            if (end != null) {
                end.cancel(false);
            }
            close();
        });
        // In line from now on, in the order in which claims come, though it is not woken before it has asked.
        List<QueueClaims> asked =
                queues.stream().filter(queue -> queue.add(this) || asksAlways()).toList();
        ask(questions(asked));
        return answer;
    }

    /** Whether it asks queues in which others wait already; else it waits behind them. */
    private boolean asksAlways() {
        return claim.maxWait().isZero() || claim.id() != null;
    }

    private @Nullable Future<?> schedule(ScheduledExecutorService scheduler) {
        try {
            return claim.maxWait().isZero()
                    ? null
                    : scheduler.schedule(this::end, claim.maxWait().toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            throw new IllegalStateException("this node is closed", e);
        }
    }

    private Deque<Question> questions(List<QueueClaims> asked) {
        List<ShardClaims> shards =
                asked.stream().flatMap(queue -> queue.shards().stream()).toList();
        Deque<Question> left = new ArrayDeque<>();
        if (claim.id() != null && shards.size() > 1) {
            // It may be a repeat, and a later shard have the jobs, so no other may hand out new ones.
            shards.forEach(shard -> left.add(new Question(shard, true)));
        }
        shards.forEach(shard -> left.add(new Question(shard, false)));
        return left;
    }

    synchronized boolean isParked() {
        return phase == Phase.PARKED;
    }

    /** Makes a parked claim ask; false if it does already or is answered. */
    synchronized boolean wake() {
        boolean woken = phase == Phase.PARKED;
        phase = woken ? Phase.ASKING : phase;
        return woken;
    }

    /** Asks a shard, after {@link #wake}. */
    void ask(ShardClaims shard) {
        ask(new ArrayDeque<>(List.of(new Question(shard, false))));
    }

    /** Asks shards one after the other until one has jobs. A loop where answers come at once, not recursion. */
    private void ask(Deque<Question> left) {
        while (!left.isEmpty()) {
            Question next = left.remove();
            ShardClaims shard = next.shard();
            CompletableFuture<Taken> taken = take(next);
            if (!taken.isDone()) {
                taken.whenComplete((got, gone) -> {
                    if (!isAnswered(shard, taken)) {
                        ask(left);
                    }
                });
                return;
            }
            if (isAnswered(shard, taken)) {
                return;
            }
        }
        park();
    }

    private CompletableFuture<Taken> take(Question question) {
        int max = question.onlyRepeated() ? 0 : Math.min(Ledger.MAX_BATCH, claim.max() - collected.size());
        long deadline = System.nanoTime() + callNanos;
        return claim.id() == null
                ? question.shard().take(max, claim.lease(), deadline)
                : question.shard().takeAs(claim.id(), max, claim.lease(), deadline);
    }

    /** Handles what a shard answered; true if that answers the claim. */
    private boolean isAnswered(ShardClaims shard, CompletableFuture<Taken> answered) {
        failure = Futures.failure(answered);
        if (failure != null) {
            return isFailed();
        }
        Taken taken = answered.join();
        collected.addAll(taken.jobs());
        if (taken.more() && collected.size() < claim.max() && claim.id() == null) {
            ask(shard);
            return true;
        }
        if (collected.isEmpty()) {
            return false;
        }
        if (taken.more()) {
            shard.ring();
        }
        return deliver();
    }

    /** A claim that has yet to ask everywhere fails with the first call that does; one that waits goes on waiting. */
    private boolean isFailed() {
        if (!collected.isEmpty()) {
            return deliver();
        }
        LedgerException known = failure;
        if (hasParked || known == null) {
            return false;
        }
        finish(() -> answer.completeExceptionally(known));
        return true;
    }

    private boolean deliver() {
        List<Held> jobs = List.copyOf(collected);
        finish(() -> {
            if (!answer.complete(jobs.stream().map(Held::job).toList())) {
                jobs.forEach(job -> job.release("its claim was cancelled"));
            }
        });
        return true;
    }

    private void park() {
        if (claim.maxWait().isZero() || isEnded()) {
            finish(() -> answer.complete(List.of()));
            return;
        }
        synchronized (this) {
            if (phase == Phase.ASKING) {
                phase = Phase.PARKED;
                hasParked = true;
            }
        }
        queues.forEach(QueueClaims::catchUp);
        if (isEnded() && wake()) {
            finish(() -> answer.complete(List.of()));
        }
    }

    private synchronized boolean isEnded() {
        return ended;
    }

    /** Ends the wait. A claim that asks the ledger just now is answered when that is. */
    void end() {
        synchronized (this) {
            ended = true;
        }
        if (wake()) {
            LedgerException known = failure;
            finish(() -> {
                if (known == null) {
                    answer.complete(List.of());
                } else {
                    answer.completeExceptionally(known);
                }
            });
        }
    }

    private void finish(Runnable completion) {
        close();
        callbacks.execute(completion);
    }

    private void close() {
        synchronized (this) {
            phase = Phase.DONE;
        }
        queues.forEach(queue -> queue.remove(this));
    }
}

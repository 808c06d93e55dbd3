package io.delayjob.engine.internal.claiming;

import io.delayjob.ClaimedJob;
import io.delayjob.JobClaim;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.claiming.ShardClaims.Held;
import io.delayjob.engine.internal.claiming.ShardClaims.Taken;
import io.delayjob.engine.internal.claiming.ShardClaims.Wanted;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One claim until it is answered. It first asks the ledgers of its queues one after the other, then waits in the lines of all of them,
 * and asks a shard again when a job is due there. Joins the lines once and begins once. Thread-safe.
 */
final class Waiter {

    /*
     * At most one call to a ledger is under way for a claim, so that it never gets more jobs than it asks for. Whoever sets the phase to
     * ASKING asks: begin() at first, then whoever gives it its turn. What the calls got is used by them alone, one after the other. A
     * claim that is cancelled goes on to the end of its call, and gives back what that got.
     */
    private enum Phase {
        /** It asks a ledger, or is about to. */
        ASKING,
        /** It waits for a due job. */
        PARKED,
        /** It is answered, about to be, or cancelled. */
        DONE
    }

    /** The response of a claim when its turn comes to ask for the due jobs of a shard. */
    enum Turn {
        /** It waited, and asks now. */
        ASKS_NOW,
        /** It asks the shard already. */
        ASKS_ALREADY,
        /** It asks another shard, or is answered: the next one may ask. */
        PASSES
    }

    /** Why a shard is asked. */
    private enum Reason {
        /** Only for the jobs that a claim with the same id got before. */
        REPEAT,
        /** Jobs may be due there. */
        LOOK,
        /** Jobs are due there. */
        DUE
    }

    /** A shard to ask. */
    private record Question(QueueClaims queue, ShardClaims shard, Reason reason) {

        boolean repeats() {
            return reason == Reason.REPEAT;
        }

        Question thatIsDue() {
            return new Question(queue, shard, Reason.DUE);
        }
    }

    private final JobClaim claim;
    private final List<QueueClaims> queues;
    private final long callNanos;
    private final Executor callbacks;
    private final CompletableFuture<List<ClaimedJob>> answer = new CompletableFuture<>();
    private final List<Held> collected = new ArrayList<>();
    /** Shards with more due jobs, or that it has not asked: those behind it in the line ask them when it leaves. */
    private final List<Question> leaves = new ArrayList<>();

    private Deque<Question> first = new ArrayDeque<>();
    private Phase phase = Phase.ASKING;
    private boolean ended;
    private boolean hasParked;
    private @Nullable ShardClaims asked;
    /** Why a shard could not be asked since the claim waited last. */
    private @Nullable LedgerException failure;

    /**
     * A claim.
     *
     * @param queues the queues that it names
     * @param callTimeout how long calls that may have run are repeated
     * @param callbacks completes the answer, so that what callers hang on it does not block other threads
     */
    Waiter(JobClaim claim, List<QueueClaims> queues, Duration callTimeout, Executor callbacks) {
        this.claim = claim;
        this.queues = queues;
        this.callNanos = callTimeout.toNanos();
        this.callbacks = callbacks;
    }

    /**
     * Joins the lines of its queues. From now on it has its place, though it gets no turn before it has asked by itself. If others wait
     * in a line, nothing is due that they do not ask for, so this one asks for new jobs only if it does not wait.
     */
    void join() {
        Deque<Question> fresh = new ArrayDeque<>();
        for (QueueClaims queue : queues) {
            boolean asks = queue.add(this) || claim.maxWait().isZero();
            for (ShardClaims shard : queue.shards()) {
                if (claim.id() != null) {
                    first.add(new Question(queue, shard, Reason.REPEAT));
                }
                if (asks) {
                    fresh.add(new Question(queue, shard, Reason.LOOK));
                }
            }
        }
        if (first.size() == 1 && fresh.size() == 1) {
            // A question for new jobs gets those of a repeat, too. But of several shards, a later one may have them.
            first.clear();
        }
        first.addAll(fresh);
    }

    /** Begins to ask; the answer is also how the claim is cancelled. */
    CompletableFuture<List<ClaimedJob>> begin(ScheduledExecutorService scheduler) {
        Future<?> end = endOfWait(scheduler);
        var unused = answer.whenComplete((jobs, gone) -> {
            if (end != null) {
                end.cancel(false);
            }
            close(List.of());
        });
        Deque<Question> questions = first;
        first = new ArrayDeque<>();
        ask(questions, System.nanoTime() + callNanos);
        return answer;
    }

    private @Nullable Future<?> endOfWait(ScheduledExecutorService scheduler) {
        try {
            return claim.maxWait().isZero()
                    ? null
                    : scheduler.schedule(this::end, claim.maxWait().toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            close(List.of());
            throw new IllegalStateException("this node is closed", e);
        }
    }

    synchronized boolean isParked() {
        return phase == Phase.PARKED;
    }

    /** The claim's turn to ask a shard. If it was waiting, the caller then lets it ask. */
    synchronized Turn turn(ShardClaims shard) {
        if (phase == Phase.PARKED) {
            phase = Phase.ASKING;
            asked = shard;
            failure = null;
            return Turn.ASKS_NOW;
        }
        return phase == Phase.ASKING && shard.equals(asked) ? Turn.ASKS_ALREADY : Turn.PASSES;
    }

    /** Asks a shard, after its {@link #turn}. */
    void ask(QueueClaims queue, ShardClaims shard) {
        ask(new ArrayDeque<>(List.of(new Question(queue, shard, Reason.DUE))), System.nanoTime() + callNanos);
    }

    private synchronized void asks(ShardClaims shard) {
        asked = shard;
    }

    /** Asks shards one after the other until the claim is answered. A loop where answers come at once, not recursion. */
    private void ask(Deque<Question> left, long deadlineNanos) {
        while (!left.isEmpty() && !isDone() && !isTooLate(deadlineNanos)) {
            Question next = left.remove();
            asks(next.shard());
            CompletableFuture<Taken> taken = next.shard().take(wanted(next), deadlineNanos);
            if (!taken.isDone()) {
                var unused =
                        taken.whenComplete((got, gone) -> goOn(isAnswered(next, taken, left), left, deadlineNanos));
                return;
            }
            if (isAnswered(next, taken, left)) {
                deliver(left);
                return;
            }
        }
        if (isDone() || !collected.isEmpty()) {
            deliver(left);
        } else {
            park(left);
        }
    }

    private void goOn(boolean answered, Deque<Question> left, long deadlineNanos) {
        if (answered) {
            deliver(left);
        } else {
            ask(left, deadlineNanos);
        }
    }

    /** Whether the ledgers have been silent for too long to ask more of them. */
    private boolean isTooLate(long deadlineNanos) {
        return failure != null && deadlineNanos - System.nanoTime() <= 0;
    }

    private Wanted wanted(Question question) {
        int most = Math.min(Ledger.MAX_BATCH, claim.max() - collected.size());
        return new Wanted(claim.id(), question.repeats() ? 0 : most, claim.lease(), claim.worker());
    }

    /** Takes what a shard answered; true if that answers the claim. */
    private boolean isAnswered(Question question, CompletableFuture<Taken> answered, Deque<Question> left) {
        LedgerException failed = Futures.failure(answered);
        if (failed != null) {
            failure = failed;
            return !collected.isEmpty();
        }
        Taken taken = answered.join();
        collected.addAll(taken.jobs());
        if (question.repeats()) {
            return !collected.isEmpty();
        }
        if (taken.more() && mayGetMore(taken)) {
            left.addFirst(question);
            return false;
        }
        if (taken.more()) {
            leaves.add(question.thatIsDue());
        }
        return !collected.isEmpty() || isSpent(taken);
    }

    /** A job that lost its lease before may be what ended its worker, and is not to take many others along. */
    private boolean mayGetMore(Taken taken) {
        boolean alone = taken.lost() && !collected.isEmpty();
        return claim.id() == null && !alone && collected.size() < claim.max();
    }

    /** Whether the call of a claim with an id has handed out what it ever will, so that to wait would be in vain. */
    private boolean isSpent(Taken taken) {
        return claim.id() != null && (taken.any() || taken.more());
    }

    private void deliver(Deque<Question> left) {
        List<Held> jobs = List.copyOf(collected);
        finish(left, () -> {
            // The caller's callbacks run within complete().
            long handedOut = System.nanoTime();
            if (answer.complete(jobs.stream().map(Held::job).toList())) {
                jobs.forEach(job -> job.run().begin(handedOut));
            } else {
                jobs.forEach(this::giveBack);
            }
        });
    }

    /** A claim with an id may have been repeated already, on another node: then the jobs are no longer its own to give back. */
    private void giveBack(Held job) {
        String why = "its claim was cancelled";
        if (claim.id() == null) {
            job.run().giveBack(why);
        } else {
            job.run().giveBackUnlessRepeated(job.job().leaseEndsAt(), why);
        }
    }

    /** Waits for a due job, unless the wait is over or not all shards could be asked before it. */
    private void park(Deque<Question> left) {
        boolean over;
        synchronized (this) {
            over = ended || claim.maxWait().isZero() || (failure != null && !hasParked);
            if (!over && phase == Phase.ASKING) {
                phase = Phase.PARKED;
                hasParked = true;
            }
        }
        if (over) {
            finishWithout(left);
        } else {
            queues.forEach(QueueClaims::catchUp);
        }
    }

    /** Ends the wait. A claim that asks a ledger just now is answered when that is. */
    void end() {
        boolean parked;
        synchronized (this) {
            ended = true;
            parked = phase == Phase.PARKED;
            phase = parked ? Phase.ASKING : phase;
        }
        if (parked) {
            finishWithout(new ArrayDeque<>());
        }
    }

    private void finishWithout(Deque<Question> left) {
        LedgerException known = failure;
        finish(left, () -> {
            if (known == null) {
                answer.complete(List.of());
            } else {
                answer.completeExceptionally(known);
            }
        });
    }

    /** Leaves the lines, and to those behind it the shards that it has not asked. */
    private void finish(Deque<Question> left, Runnable completion) {
        left.stream().filter(question -> !question.repeats()).forEach(leaves::add);
        close(leaves);
        callbacks.execute(completion);
    }

    private synchronized boolean isDone() {
        return phase == Phase.DONE;
    }

    private void close(List<Question> unasked) {
        synchronized (this) {
            phase = Phase.DONE;
        }
        for (QueueClaims queue : queues) {
            List<Question> its = unasked.stream()
                    .filter(question -> question.queue().equals(queue))
                    .toList();
            queue.remove(
                    this,
                    shards(its.stream()),
                    shards(its.stream().filter(question -> question.reason() == Reason.DUE)));
        }
    }

    private static List<ShardClaims> shards(Stream<Question> questions) {
        return questions.map(Question::shard).toList();
    }
}

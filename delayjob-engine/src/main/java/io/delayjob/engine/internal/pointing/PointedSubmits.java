package io.delayjob.engine.internal.pointing;

import io.delayjob.SubmitResult;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Pointer;
import io.delayjob.engine.ledger.Pointers.Wanted;
import io.delayjob.engine.ledger.Pointing;
import io.delayjob.engine.ledger.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Submits jobs whose ids belong to other shards than the jobs, or point to other ones. First the id's own shard points to the shard of the job, see
 * {@link Pointing}, then that one stores the job.
 */
public final class PointedSubmits {

    /** So many jobs of a bulk are on their way at a time. */
    private static final int MOST_AT_A_TIME = 2000;

    private final Queues queues;

    public PointedSubmits(Queues queues) {
        this.queues = queues;
    }

    /**
     * A job to be stored.
     *
     * @param home the shard of its id
     * @param shard the shard of the job
     */
    public record Placed(Shard home, Shard shard, NewJob job) {}

    /**
     * Submits jobs whose ids belong to other shards. The outcomes are in order, and fail with a LedgerException only. Once a job has failed, those are not
     * sent that are not yet on their way.
     */
    public List<CompletableFuture<SubmitResult>> submit(List<Placed> jobs) {
        List<CompletableFuture<SubmitResult>> results = new ArrayList<>(jobs.size());
        CompletableFuture<Void> before = CompletableFuture.completedFuture(null);
        for (int from = 0; from < jobs.size(); from += MOST_AT_A_TIME) {
            CompletableFuture<Void> earlier = before;
            List<CompletableFuture<SubmitResult>> part =
                    jobs.subList(from, Math.min(jobs.size(), from + MOST_AT_A_TIME)).stream()
                            .map(job -> earlier.thenCompose(done -> submit(job)))
                            .toList();
            results.addAll(part);
            before = earlier.thenCompose(done -> CompletableFuture.allOf(part.toArray(CompletableFuture[]::new))
                    .exceptionallyCompose(failure ->
                            CompletableFuture.failedFuture(Futures.notSentAfter(Futures.ledgerException(failure)))));
        }
        return results;
    }

    private CompletableFuture<SubmitResult> submit(Placed job) {
        long deadlineNanos = job.shard().submitDeadline();
        return new Submit(
                        job,
                        deadlineNanos,
                        one -> job.shard().submit(List.of(one), deadlineNanos).get(0))
                .point();
    }

    /** The outcome of a job that its shard was asked to store, which is that of its id: if the id points elsewhere, the job goes this way. */
    public CompletableFuture<SubmitResult> orPointed(Placed job, CompletableFuture<SubmitResult> outcome) {
        return outcome.thenCompose(result -> result.outcome() == SubmitResult.Outcome.UNCONFIRMED
                ? submit(job)
                : CompletableFuture.completedFuture(result));
    }

    /**
     * Submits a job that a journal has, and that it brings there later if this fails. Where its id is in use, its shard is told, so that the journal
     * learns of it from the log of that.
     */
    public CompletableFuture<SubmitResult> submitJournaled(Placed job) {
        Submit submit = new Submit(
                job,
                job.shard().submitDeadline(),
                one -> job.shard().submitJournaled(List.of(one)).get(0));
        return job.home() == job.shard() ? submit.begin() : submit.point();
    }

    /** One submit, with its deadline. */
    private final class Submit implements Pointing.Calls {

        private final Placed placed;
        private final ShardId shard;
        private final NewJob job;
        private final long deadlineNanos;
        private final Function<NewJob, CompletableFuture<SubmitResult>> send;
        private final Pointing pointing;

        Submit(Placed placed, long deadlineNanos, Function<NewJob, CompletableFuture<SubmitResult>> send) {
            this.placed = placed;
            this.shard = placed.shard().id();
            this.job = placed.job();
            this.deadlineNanos = deadlineNanos;
            this.send = send;
            this.pointing = new Pointing(job.id(), placed.home().id().number(), shard.number(), this);
        }

        @Override
        public CompletableFuture<Optional<Pointer>> point(int home, Wanted wanted) {
            return placed.home().point(wanted, deadlineNanos);
        }

        @Override
        public CompletableFuture<Boolean> revoke(Pointer pointer) {
            return queues.shards(shard.queue()).get(pointer.shard()).revoke(pointer, deadlineNanos);
        }

        /** Sends it to the shard of its id, and points that if the id points elsewhere. */
        CompletableFuture<SubmitResult> begin() {
            return send.apply(job)
                    .thenCompose(result -> result.outcome() == SubmitResult.Outcome.UNCONFIRMED
                            ? point()
                            : CompletableFuture.completedFuture(result));
        }

        CompletableFuture<SubmitResult> point() {
            return pointing.point().thenCompose(this::store);
        }

        private CompletableFuture<SubmitResult> store(Optional<Pointer> answer) {
            if (answer.isEmpty()) {
                return exists();
            }
            Pointer pointer = answer.get();
            return send.apply(placed.home() == placed.shard() ? job : job.with(pointer))
                    .thenCompose(result -> result.outcome() == SubmitResult.Outcome.UNCONFIRMED
                            ? pointing.replace(pointer).thenCompose(this::store)
                            : CompletableFuture.completedFuture(result));
        }

        private CompletableFuture<SubmitResult> exists() {
            return job.journaled() == null
                    ? CompletableFuture.completedFuture(
                            new SubmitResult(shard.queue(), job.id(), SubmitResult.Outcome.EXISTS))
                    : send.apply(job.elsewhere());
        }
    }
}

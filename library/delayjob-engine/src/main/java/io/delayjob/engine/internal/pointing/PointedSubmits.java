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

    /** How jobs are sent to their shards. */
    public enum Way {
        /** They are stored, or the submit fails. */
        DIRECT,
        /** A journal has them, and brings them there later if this fails. Where an id is in use, the shard of the job is told, so that the journal learns of it from its log. */
        JOURNALED;

        /** Sends jobs to their shard, without pointing their ids. */
        public List<CompletableFuture<SubmitResult>> send(Shard shard, List<NewJob> jobs) {
            return send(shard, jobs, shard.submitDeadline());
        }

        private List<CompletableFuture<SubmitResult>> send(Shard shard, List<NewJob> jobs, long deadlineNanos) {
            return this == DIRECT ? shard.submit(jobs, deadlineNanos) : shard.submitJournaled(jobs);
        }
    }

    /**
     * Submits jobs whose ids belong to other shards. The outcomes are in order, and fail with a LedgerException only. Once a job has failed, those are not
     * sent that are not yet on their way.
     */
    public List<CompletableFuture<SubmitResult>> submit(Way way, List<Placed> jobs) {
        List<CompletableFuture<SubmitResult>> results = new ArrayList<>(jobs.size());
        CompletableFuture<Void> before = CompletableFuture.completedFuture(null);
        for (int from = 0; from < jobs.size(); from += MOST_AT_A_TIME) {
            CompletableFuture<Void> earlier = before;
            List<CompletableFuture<SubmitResult>> part =
                    jobs.subList(from, Math.min(jobs.size(), from + MOST_AT_A_TIME)).stream()
                            .map(job -> earlier.thenCompose(done -> submit(way, job)))
                            .toList();
            results.addAll(part);
            before = earlier.thenCompose(done -> CompletableFuture.allOf(part.toArray(CompletableFuture[]::new))
                    .exceptionallyCompose(failure ->
                            CompletableFuture.failedFuture(Futures.notSentAfter(Futures.ledgerException(failure)))));
        }
        return results;
    }

    private CompletableFuture<SubmitResult> submit(Way way, Placed job) {
        return new Submit(way, job).point();
    }

    /** The outcome of a job that its shard was asked to store, which is that of its id: if the id points elsewhere, the job goes this way. */
    public CompletableFuture<SubmitResult> orPointed(Way way, Placed job, CompletableFuture<SubmitResult> outcome) {
        return outcome.thenCompose(result -> result.outcome() == SubmitResult.Outcome.UNCONFIRMED
                ? submit(way, job)
                : CompletableFuture.completedFuture(result));
    }

    /** One submit, with its deadline. */
    private final class Submit implements Pointing.Calls {

        private final Way way;
        private final Placed placed;
        private final ShardId shard;
        private final NewJob job;
        private final long deadlineNanos;
        private final Pointing pointing;

        Submit(Way way, Placed placed) {
            this.way = way;
            this.placed = placed;
            this.shard = placed.shard().id();
            this.job = placed.job();
            this.deadlineNanos = placed.shard().submitDeadline();
            this.pointing = new Pointing(job.id(), placed.home().id().number(), shard.number(), this);
        }

        private CompletableFuture<SubmitResult> send(NewJob one) {
            return way.send(placed.shard(), List.of(one), deadlineNanos).get(0);
        }

        @Override
        public CompletableFuture<Optional<Pointer>> point(int home, Wanted wanted) {
            return queues.shards(shard.queue()).get(home).point(wanted, deadlineNanos);
        }

        @Override
        public CompletableFuture<Boolean> revoke(Pointer pointer) {
            return queues.shards(shard.queue()).get(pointer.shard()).revoke(pointer, deadlineNanos);
        }

        CompletableFuture<SubmitResult> point() {
            return pointing.point().thenCompose(this::store);
        }

        private CompletableFuture<SubmitResult> store(Optional<Pointer> answer) {
            if (answer.isEmpty()) {
                return exists();
            }
            Pointer pointer = answer.get();
            return send(placed.home() == placed.shard() ? job : job.with(pointer))
                    .thenCompose(result -> result.outcome() == SubmitResult.Outcome.UNCONFIRMED
                            ? pointing.replace(pointer).thenCompose(this::store)
                            : CompletableFuture.completedFuture(result));
        }

        private CompletableFuture<SubmitResult> exists() {
            return way == Way.DIRECT
                    ? CompletableFuture.completedFuture(
                            new SubmitResult(shard.queue(), job.id(), SubmitResult.Outcome.EXISTS))
                    : send(job.elsewhere());
        }
    }
}

package io.delayjob.engine.internal.pointing;

import io.delayjob.SubmitResult;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.records.JobIds;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Pointer;
import io.delayjob.engine.ledger.Pointers.Wanted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Submits jobs whose ids belong to other shards than the jobs, or point to other ones. First the id's own shard points to the shard of the job, then that
 * one stores the job. An id that points elsewhere already is in use if there is a job; if there is none, that pointer is revoked there, so that
 * no submit which still shows it stores a job, and replaced.
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
        return new Submit(job, job.shard().submitDeadline()).point(null);
    }

    /** The outcome of a job that its shard was asked to store, which is that of its id: if the id points elsewhere, the job goes this way. */
    public CompletableFuture<SubmitResult> orPointed(Placed job, CompletableFuture<SubmitResult> outcome) {
        return outcome.thenCompose(result -> result.outcome() == SubmitResult.Outcome.UNCONFIRMED
                ? submit(job)
                : CompletableFuture.completedFuture(result));
    }

    /** One submit, with its deadline. */
    private final class Submit {

        private final Placed placed;
        private final Shard shard;
        private final NewJob job;
        private final long deadlineNanos;

        Submit(Placed placed, long deadlineNanos) {
            this.placed = placed;
            this.shard = placed.shard();
            this.job = placed.job();
            this.deadlineNanos = deadlineNanos;
        }

        CompletableFuture<SubmitResult> point(@Nullable Pointer replaced) {
            Wanted wanted = new Wanted(job.id(), shard.id().number(), JobIds.random(), replaced);
            return placed.home().point(wanted, deadlineNanos).thenCompose(this::pointed);
        }

        private CompletableFuture<SubmitResult> pointed(Optional<Pointer> answer) {
            if (answer.isEmpty()) {
                return exists();
            }
            Pointer pointer = answer.get();
            return pointer.shard() == shard.id().number() ? store(pointer) : replace(pointer);
        }

        private CompletableFuture<SubmitResult> store(Pointer pointer) {
            NewJob shown = placed.home() == shard ? job : job.with(pointer);
            return shard.submit(List.of(shown), deadlineNanos)
                    .get(0)
                    .thenCompose(result -> result.outcome() == SubmitResult.Outcome.UNCONFIRMED
                            ? replace(pointer)
                            : CompletableFuture.completedFuture(result));
        }

        /** Points to the shard of the job, unless there is a job where the pointer points to. */
        private CompletableFuture<SubmitResult> replace(Pointer pointer) {
            return queues.shards(shard.id().queue())
                    .get(pointer.shard())
                    .revoke(pointer, deadlineNanos)
                    .thenCompose(revoked -> revoked ? point(pointer) : exists());
        }

        private CompletableFuture<SubmitResult> exists() {
            return CompletableFuture.completedFuture(
                    new SubmitResult(shard.id().queue(), job.id(), SubmitResult.Outcome.EXISTS));
        }
    }
}

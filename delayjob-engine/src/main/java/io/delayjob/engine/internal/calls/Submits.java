package io.delayjob.engine.internal.calls;

import io.delayjob.SubmitResult;
import io.delayjob.engine.internal.records.SubmitDigest;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerException.Kind;
import io.delayjob.engine.ledger.NewJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Submits to one shard. The same submit, made again after its outcome was unknown, takes effect once. Thread-safe. */
final class Submits {

    /* A submit that failed with an unknown outcome may have stored its job, and the job may have run and gone before its caller
     * makes the submit again: by its id alone it would then be stored, and run, a second time. But the call is known, and so is
     * its memo, which nothing overwrites because the lane goes on under another name. The same job, submitted again, asks the
     * ledger what became of that call. If it ran, it gets the first answer. If not, the ledger sees to it that it never will, and
     * the job is submitted now, alone: nobody knows whether the callers of the others still want theirs. What differs from the
     * first in anything is another job. */

    /** Half the life of a memo, so that what is asked is there. */
    static final Duration REMEMBERED = Duration.ofMinutes(5);

    private static final int MOST_REMEMBERED = 2000;

    private final Lane<NewJob, SubmitResult> lane;
    private final BiFunction<Call, List<String>, CompletableFuture<List<SubmitResult>>> outcome;
    private final ScheduledExecutorService scheduler;
    private final Map<String, Place> unanswered = new LinkedHashMap<>();

    /** A job of a call that was given up. Its digest stands for all of it, whose param may be long. */
    private record Place(Unanswered call, int position, String id, String digest) {}

    /** A call that was given up; asked after at most once at a time. */
    private final class Unanswered {

        private final Call call;
        private final List<String> ids;
        private final CompletableFuture<List<SubmitResult>> end;
        private final long givenUpNanos = System.nanoTime();
        private @Nullable CompletableFuture<List<SubmitResult>> asked;

        Unanswered(Batch<NewJob, SubmitResult> batch) {
            this.call = batch.call();
            this.ids = batch.values().stream().map(NewJob::id).toList();
            this.end = batch.end();
        }

        boolean isForgotten() {
            return System.nanoTime() - givenUpNanos > REMEMBERED.toNanos();
        }

        /** What the call answered; nothing if it did not run. */
        synchronized CompletableFuture<List<SubmitResult>> ask() {
            CompletableFuture<List<SubmitResult>> answer = asked;
            if (answer == null || answer.isCompletedExceptionally()) {
                answer = end.exceptionallyCompose(this::askAfter);
                asked = answer;
            }
            return answer;
        }

        /** Only once its lane has left it: what is asked after never runs any more. */
        private CompletableFuture<List<SubmitResult>> askAfter(Throwable failure) {
            Kind kind = Futures.ledgerException(failure).kind();
            return kind == Kind.NOT_RUN || kind == Kind.REFUSED
                    ? CompletableFuture.completedFuture(List.of())
                    : outcome.apply(call, ids);
        }
    }

    /**
     * Submits.
     *
     * @param lane makes the lane, given whom to tell of calls that were given up and may have run
     * @param outcome asks what became of such a call
     * @param scheduler ends the waits for what is asked
     */
    Submits(
            Function<BiConsumer<Batch<NewJob, SubmitResult>, BitSet>, Lane<NewJob, SubmitResult>> lane,
            BiFunction<Call, List<String>, CompletableFuture<List<SubmitResult>>> outcome,
            ScheduledExecutorService scheduler) {
        this.lane = lane.apply(this::remember);
        this.outcome = outcome;
        this.scheduler = scheduler;
    }

    List<CompletableFuture<SubmitResult>> addAll(List<NewJob> jobs) {
        long deadline = lane.deadline();
        Map<NewJob, Place> again = again(jobs);
        if (again.isEmpty()) {
            return Bulk.send(lane, jobs, deadline);
        }
        List<NewJob> first =
                jobs.stream().filter(job -> !again.containsKey(job)).toList();
        Iterator<CompletableFuture<SubmitResult>> others =
                Bulk.send(lane, first, deadline).iterator();
        List<CompletableFuture<SubmitResult>> answers = new ArrayList<>(jobs.size());
        for (NewJob job : jobs) {
            Place place = again.get(job);
            answers.add(place == null ? others.next() : ask(place, job, deadline));
        }
        return answers;
    }

    private CompletableFuture<SubmitResult> ask(Place place, NewJob job, long deadline) {
        return Futures.by(deadline, place.call().ask(), scheduler)
                .handle((results, failure) -> answer(place, job, deadline, results, failure))
                .thenCompose(answer -> answer);
    }

    private CompletableFuture<SubmitResult> answer(
            Place place, NewJob job, long deadline, @Nullable List<SubmitResult> results, @Nullable Throwable failure) {
        if (failure != null || results == null) {
            remember(place);
            LedgerException why = Futures.ledgerException(Objects.requireNonNull(failure));
            // Whatever this try came to, the first may have run.
            return CompletableFuture.failedFuture(why.afterATryThatMayHaveRun());
        }
        return results.isEmpty()
                ? lane.add(job, deadline)
                : CompletableFuture.completedFuture(results.get(place.position()));
    }

    /** Which of the jobs were submitted before with an unknown outcome. */
    private Map<NewJob, Place> again(List<NewJob> jobs) {
        synchronized (unanswered) {
            if (unanswered.isEmpty()) {
                return Map.of();
            }
            forgetOld();
            Map<NewJob, Place> again = new HashMap<>();
            for (NewJob job : jobs) {
                Place place = unanswered.get(job.id());
                if (place != null
                        && !place.call().isForgotten()
                        && place.digest().equals(SubmitDigest.of(job))) {
                    unanswered.remove(job.id());
                    again.put(job, place);
                }
            }
            return again;
        }
    }

    /** Whether nothing is under way, and nothing remembered. */
    boolean idle() {
        synchronized (unanswered) {
            forgetOld();
            return unanswered.isEmpty() && lane.idle();
        }
    }

    private void forgetOld() {
        Iterator<Place> oldest = unanswered.values().iterator();
        while (oldest.hasNext() && oldest.next().call().isForgotten()) {
            oldest.remove();
        }
    }

    private void remember(Batch<NewJob, SubmitResult> batch, BitSet positions) {
        Unanswered one = new Unanswered(batch);
        positions.stream().forEach(position -> {
            NewJob job = batch.items().get(position).value();
            remember(new Place(one, position, job.id(), SubmitDigest.of(job)));
        });
    }

    private void remember(Place place) {
        synchronized (unanswered) {
            unanswered.put(place.id(), place);
            forgetOld();
            if (unanswered.size() > MOST_REMEMBERED) {
                unanswered.remove(unanswered.keySet().iterator().next());
            }
        }
    }
}

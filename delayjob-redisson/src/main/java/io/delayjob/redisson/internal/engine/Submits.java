package io.delayjob.redisson.internal.engine;

import io.delayjob.SubmitResult;
import io.delayjob.redisson.internal.ledger.Call;
import io.delayjob.redisson.internal.ledger.LedgerException;
import io.delayjob.redisson.internal.ledger.NewJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
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
    private final Map<String, Place> unanswered = new LinkedHashMap<>();

    /** A job of a call that was given up. Its digest stands for all of it, whose param may be long. */
    private record Place(Unanswered call, int position, String id, String digest) {}

    /** A call that was given up; asked after at most once at a time. */
    private final class Unanswered {

        private final Call call;
        private final List<String> ids;
        private final long givenUpNanos = System.nanoTime();
        private @Nullable CompletableFuture<List<SubmitResult>> asked;

        Unanswered(Call call, List<NewJob> jobs) {
            this.call = call;
            this.ids = jobs.stream().map(NewJob::id).toList();
        }

        boolean isForgotten() {
            return System.nanoTime() - givenUpNanos > REMEMBERED.toNanos();
        }

        /** What the call answered; nothing if it did not run. */
        synchronized CompletableFuture<List<SubmitResult>> ask() {
            CompletableFuture<List<SubmitResult>> answer = asked;
            if (answer == null || answer.isCompletedExceptionally()) {
                answer = outcome.apply(call, ids);
                asked = answer;
            }
            return answer;
        }
    }

    /**
     * Submits.
     *
     * @param lane makes the lane, given whom to tell of calls that were given up and may have run
     * @param outcome asks what became of such a call
     */
    Submits(
            Function<BiConsumer<Call, List<NewJob>>, Lane<NewJob, SubmitResult>> lane,
            BiFunction<Call, List<String>, CompletableFuture<List<SubmitResult>>> outcome) {
        this.lane = lane.apply(this::remember);
        this.outcome = outcome;
    }

    List<CompletableFuture<SubmitResult>> addAll(List<NewJob> jobs) {
        Map<NewJob, Place> again = again(jobs);
        if (again.isEmpty()) {
            return lane.addAll(jobs);
        }
        Iterator<CompletableFuture<SubmitResult>> others = lane.addAll(
                        jobs.stream().filter(job -> !again.containsKey(job)).toList())
                .iterator();
        List<CompletableFuture<SubmitResult>> answers = new ArrayList<>(jobs.size());
        for (NewJob job : jobs) {
            Place place = again.get(job);
            answers.add(place == null ? others.next() : ask(place, job));
        }
        return answers;
    }

    private CompletableFuture<SubmitResult> ask(Place place, NewJob job) {
        return place.call()
                .ask()
                .handle((results, failure) -> answer(place, job, results, failure))
                .thenCompose(answer -> answer);
    }

    private CompletableFuture<SubmitResult> answer(
            Place place, NewJob job, @Nullable List<SubmitResult> results, @Nullable Throwable failure) {
        if (failure != null || results == null) {
            remember(place);
            LedgerException why = Futures.ledgerException(Objects.requireNonNull(failure));
            // Whatever this try came to, the first may have run.
            return CompletableFuture.failedFuture(why.afterATryThatMayHaveRun());
        }
        return results.isEmpty() ? lane.add(job) : CompletableFuture.completedFuture(results.get(place.position()));
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

    private void forgetOld() {
        Iterator<Place> oldest = unanswered.values().iterator();
        while (oldest.hasNext() && oldest.next().call().isForgotten()) {
            oldest.remove();
        }
    }

    private void remember(Call call, List<NewJob> jobs) {
        Unanswered one = new Unanswered(call, jobs);
        for (int i = 0; i < jobs.size(); i++) {
            NewJob job = jobs.get(i);
            remember(new Place(one, i, job.id(), SubmitDigest.of(job)));
        }
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

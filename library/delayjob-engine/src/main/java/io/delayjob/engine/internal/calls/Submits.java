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

/** The submits to one shard. A submit that is made again because its outcome was unknown takes effect once. Thread-safe. */
final class Submits {

    /*
     * A submit that failed with an unknown outcome may have stored its job, and the job may have run and been removed before its
     * caller submits it again. By its id alone it would then be stored, and run, a second time. But this node remembers the call,
     * and nothing overwrites the call's memo, because the lane continues under another name. When the same job is submitted again,
     * the ledger is first asked for the outcome of that call. If the call ran, the job gets its first answer. If not, the ledger
     * makes sure that it never will, and the job is submitted now. It is submitted alone, because nobody knows whether the callers
     * of the other jobs still want them. A job that differs in anything from the first is another job.
     */

    /** Half the lifetime of a memo, so that the memo still exists when it is asked for. */
    static final Duration REMEMBERED = Duration.ofMinutes(5);

    private static final int MOST_REMEMBERED = 2000;

    private final Lane<NewJob, SubmitResult> lane;
    private final BiFunction<Call, List<String>, CompletableFuture<List<SubmitResult>>> outcome;
    private final ScheduledExecutorService scheduler;
    private final Map<String, Place> unanswered = new LinkedHashMap<>();

    /** A job of a call that was given up. It is identified by its digest, because its param may be long. */
    private record Place(Unanswered call, int position, String id, String digest) {}

    /** A call that was given up; its outcome is asked for by one request at a time. */
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

        /** The answers of the call; empty if it did not run. */
        synchronized CompletableFuture<List<SubmitResult>> ask() {
            CompletableFuture<List<SubmitResult>> answer = asked;
            if (answer == null || answer.isCompletedExceptionally()) {
                answer = end.exceptionallyCompose(this::askAfter);
                asked = answer;
            }
            return answer;
        }

        /** Asks for the outcome, once the lane has given the call up: a call that was asked for never runs afterwards. */
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
     * @param lane makes the lane, given the receiver of calls that were given up and may have run
     * @param outcome asks the ledger for the outcome of such a call
     * @param scheduler bounds the wait for these outcomes
     */
    Submits(
            Function<BiConsumer<Batch<NewJob, SubmitResult>, BitSet>, Lane<NewJob, SubmitResult>> lane,
            BiFunction<Call, List<String>, CompletableFuture<List<SubmitResult>>> outcome,
            ScheduledExecutorService scheduler) {
        this.lane = lane.apply(this::remember);
        this.outcome = outcome;
        this.scheduler = scheduler;
    }

    /** When a submit that begins now ends, a {@link System#nanoTime}. */
    long deadline() {
        return lane.deadline();
    }

    List<CompletableFuture<SubmitResult>> addAll(List<NewJob> jobs, long deadline) {
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
            // The first try may have run, whatever the result of this one.
            return CompletableFuture.failedFuture(why.afterATryThatMayHaveRun());
        }
        return results.isEmpty()
                ? lane.add(job, deadline)
                : CompletableFuture.completedFuture(results.get(place.position()));
    }

    /** The jobs that were submitted before with an unknown outcome. */
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

    /** Whether no call is under way and no submit is remembered. */
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

package io.delayjob.redisson.internal.engine;

import io.delayjob.SubmitResult;
import io.delayjob.redisson.internal.ledger.Call;
import io.delayjob.redisson.internal.ledger.NewJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Submits to one shard. The same submit, made again after its outcome was unknown, takes effect once. Thread-safe. */
final class Submits {

    /* A submit that failed with an unknown outcome may have stored its job, and the job may have run and gone before its caller
     * makes the submit again: by its id alone it would then be stored, and run, a second time. But the call is known, and so is
     * its memo, which nothing overwrites because the lane goes on under another name. The same job, submitted again, sends that
     * call again: it gets the first answer, or the job is stored now. What differs from the first in anything is another job. */

    /** Half the life of a memo, so that what is asked is there. */
    static final Duration REMEMBERED = Duration.ofMinutes(5);

    private static final int MOST_REMEMBERED = 10_000;

    private final Lane<NewJob, SubmitResult> lane;
    private final Map<String, Place> unanswered = new LinkedHashMap<>();

    /** A job of a call that was given up. */
    private record Place(Unanswered call, int position, NewJob job) {}

    /** A call that was given up; asked after at most once at a time. */
    private final class Unanswered {

        private final Call call;
        private final List<NewJob> jobs;
        private final long givenUpNanos = System.nanoTime();
        private @Nullable List<CompletableFuture<SubmitResult>> asked;

        Unanswered(Call call, List<NewJob> jobs) {
            this.call = call;
            this.jobs = jobs;
        }

        boolean isForgotten() {
            return System.nanoTime() - givenUpNanos > REMEMBERED.toNanos();
        }

        synchronized CompletableFuture<SubmitResult> ask(int position) {
            List<CompletableFuture<SubmitResult>> answers = asked;
            if (answers == null || answers.get(position).isCompletedExceptionally()) {
                answers = lane.again(call, jobs);
                asked = answers;
            }
            return answers.get(position).whenComplete((answer, failure) -> {
                if (failure != null) {
                    remember(this, position);
                }
            });
        }
    }

    /**
     * Submits.
     *
     * @param lane makes the lane, given whom to tell of calls that were given up and may have run
     */
    Submits(Function<BiConsumer<Call, List<NewJob>>, Lane<NewJob, SubmitResult>> lane) {
        this.lane = lane.apply(this::remember);
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
            answers.add(place == null ? others.next() : place.call().ask(place.position()));
        }
        return answers;
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
                if (place != null && place.job().equals(job)) {
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
            remember(one, i);
        }
    }

    private void remember(Unanswered call, int position) {
        NewJob job = call.jobs.get(position);
        synchronized (unanswered) {
            unanswered.put(job.id(), new Place(call, position, job));
            if (unanswered.size() > MOST_REMEMBERED) {
                unanswered.remove(unanswered.keySet().iterator().next());
            }
        }
    }
}

package io.delayjob.client;

import static java.util.stream.Collectors.groupingBy;

import io.delayjob.JobSubmissionException;
import io.delayjob.JobSubmissionException.Outcome;
import io.delayjob.SubmitResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Sends the jobs of one submit, those of a queue together, in one request after the other. Used once. */
final class Submission {

    /** The most that a server takes at once. */
    private static final int MOST_JOBS = 1000;

    /** Half of what a server takes by default. */
    private static final int MOST_BYTES = 4 * 1024 * 1024;

    private final HttpDelayJobSettings settings;
    private final Turns turns;
    private final Map<String, String> headers;
    private final List<OutgoingJob> all;
    private final IdentityHashMap<OutgoingJob, SubmitResult> results = new IdentityHashMap<>();
    private final Deque<List<OutgoingJob>> left = new ArrayDeque<>();

    /**
     * Some jobs of a submit.
     *
     * @param headers further headers of its requests
     * @param jobs the jobs to send; the others wait for a commit
     * @param all all jobs of the submit; the result covers each of them
     */
    Submission(
            HttpDelayJobSettings settings,
            Turns turns,
            Map<String, String> headers,
            List<OutgoingJob> jobs,
            List<OutgoingJob> all) {
        this.settings = settings;
        this.turns = turns;
        this.headers = headers;
        this.all = all;
        all.forEach(job -> results.put(job, job.result(SubmitResult.Outcome.DEFERRED)));
        jobs.forEach(job -> results.put(job, job.result(SubmitResult.Outcome.UNCONFIRMED)));
        byQueue(jobs.stream()).forEach(this::divide);
    }

    private static Collection<List<OutgoingJob>> byQueue(Stream<OutgoingJob> jobs) {
        return jobs.collect(groupingBy(OutgoingJob::queue, LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    private void divide(List<OutgoingJob> ofQueue) {
        List<OutgoingJob> part = new ArrayList<>();
        int bytes = 0;
        for (OutgoingJob job : ofQueue) {
            if (part.size() == MOST_JOBS || (!part.isEmpty() && bytes + job.bytes() > MOST_BYTES)) {
                left.add(part);
                part = new ArrayList<>();
                bytes = 0;
            }
            part.add(job);
            bytes += job.bytes();
        }
        left.add(part);
    }

    /** The results of all jobs. After a failed request the rest is not sent. */
    CompletableFuture<List<SubmitResult>> send() {
        return send(true);
    }

    private CompletableFuture<List<SubmitResult>> send(boolean first) {
        List<OutgoingJob> part = left.poll();
        return part == null
                ? CompletableFuture.completedFuture(results())
                : post(part)
                        .handle((answers, failure) -> {
                            if (failure != null) {
                                throw failure(part, first, failure);
                            }
                            answered(part, answers);
                            return part;
                        })
                        .thenCompose(sent -> send(false));
    }

    private List<SubmitResult> results() {
        return all.stream().map(results::get).toList();
    }

    private void answered(List<OutgoingJob> part, List<Json.Submitted> answers) {
        for (int i = 0; i < part.size(); i++) {
            results.put(part.get(i), part.get(i).result(answers.get(i)));
        }
    }

    private CompletableFuture<List<Json.Submitted>> post(List<OutgoingJob> part) {
        byte[] body =
                Json.bytes(new Json.Jobs(part.stream().map(OutgoingJob::body).toList()));
        Call.Request<List<Json.Submitted>> request = new Call.Request<>(
                "/queues/" + part.get(0).queue() + "/jobs/batch",
                headers,
                () -> body,
                answer -> Json.read(answer, Json.SubmittedAll.class).of(part.size()),
                settings.timeout(),
                unwanted -> {});
        long now = System.nanoTime();
        return turns.take(() -> new Call<>(settings, request, now).begin());
    }

    /** The exception of the submit: a plain {@link IllegalArgumentException} if its first request was refused for an invalid value. */
    private RuntimeException failure(List<OutgoingJob> part, boolean first, Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        if (cause instanceof IllegalArgumentException invalid && first) {
            return invalid;
        }
        Throwable called = cause instanceof IllegalArgumentException ? cause.getCause() : cause;
        return called instanceof CallException failure ? failure(part, failure) : new CompletionException(cause);
    }

    /** One exception for the jobs of the request, and one for those that were not sent of each queue. */
    private JobSubmissionException failure(List<OutgoingJob> part, CallException failure) {
        Problem problem = failure.problem();
        if (problem != null && problem.jobs().size() == part.size()) {
            answered(part, problem.jobs());
        }
        JobSubmissionException first = unconfirmed(part, failure.outcome(), failure);
        byQueue(left.stream().flatMap(List::stream))
                .forEach(unsent -> first.addSuppressed(unconfirmed(unsent, Outcome.NOT_STORED, failure)));
        return first;
    }

    private JobSubmissionException unconfirmed(List<OutgoingJob> part, Outcome outcome, CallException cause) {
        List<String> ids = part.stream()
                .map(results::get)
                .filter(result -> result.outcome() == SubmitResult.Outcome.UNCONFIRMED)
                .map(SubmitResult::id)
                .toList();
        return new JobSubmissionException(part.get(0).queue(), ids, outcome, results(), cause);
    }
}

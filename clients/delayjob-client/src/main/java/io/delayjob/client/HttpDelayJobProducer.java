package io.delayjob.client;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.SubmitResult;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Submits jobs to a delayjob server over HTTP. Thread-safe.
 *
 * <p>What {@link DelayJobProducer} says holds, with these differences:
 *
 * <ul>
 *   <li>The queue of a job is that of its request, else that of the {@link io.delayjob.DelayJobQueue} of its class, else {@link
 *       HttpDelayJobSettings#queue}; a job without any is refused. A class is submitted under its {@link io.delayjob.DelayJobName}, or
 *       its own name; it need not be a bean here.
 *   <li>A value that the server refuses fails the call with an {@link IllegalArgumentException}; the future of an asynchronous one
 *       fails with it.
 *   <li>{@link io.delayjob.JobSubmissionException} is thrown if the server refused the token or the queue, or did not confirm the jobs
 *       within {@link HttpDelayJobSettings#timeout}. Its cause has the server's words.
 *   <li>Many jobs are sent in requests of up to 1,000 of one queue, one after the other. After a failed request, the rest is not sent.
 *       If an {@link IllegalArgumentException} is thrown, none of them is stored.
 *   <li>At most 32 requests are under way at once; others wait for their turn within their timeout.
 *   <li>A request with {@code afterCommit} true waits for the commit of a Spring transaction. Where it is null, it does not wait.
 * </ul>
 *
 * <p>A request that may have been lost, or whose answer was, is repeated. A job without an id gets a random one here, so that a
 * repeat stores nothing twice; only a job that has run to its end before the repeat arrives is stored, and runs, again. A job with a
 * {@link io.delayjob.Dedupe} key and no id gets its id from the server, since only that knows the shard of the key: in a repeat the key
 * takes the place of the id, and until the job's result is known, or if it never is, its key is shown as its id. A delay counts from
 * the try that was stored.
 */
public final class HttpDelayJobProducer implements DelayJobProducer {

    private static final int MOST_REQUESTS = 32;

    private final HttpDelayJobSettings settings;
    private final JobWriter writer;
    private final Turns turns = new Turns(MOST_REQUESTS);

    /**
     * A producer for a server. It asks nothing until the first submit.
     *
     * @param settings where the server is
     */
    public HttpDelayJobProducer(HttpDelayJobSettings settings) {
        this.settings = Checks.notNull(settings, "settings");
        this.writer = new JobWriter(settings);
    }

    @Override
    public <T> CompletableFuture<SubmitResult> submitAsync(DelayJobRequest<T> request, Duration delay) {
        return submit(List.of(after(request, delay))).thenApply(results -> results.get(0));
    }

    @Override
    public <T> CompletableFuture<SubmitResult> submitAsync(DelayJobRequest<T> request, Instant dueAt) {
        return submit(List.of(at(request, dueAt))).thenApply(results -> results.get(0));
    }

    @Override
    public CompletableFuture<List<SubmitResult>> submitAllAsync(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Duration> delay) {
        Checks.notNull(delay, "delay");
        return submit(written(requests, request -> after(request, delay.apply(request))));
    }

    @Override
    public CompletableFuture<List<SubmitResult>> submitAllAtAsync(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Instant> dueAt) {
        Checks.notNull(dueAt, "dueAt");
        return submit(written(requests, request -> at(request, dueAt.apply(request))));
    }

    @Override
    public <T> SubmitResult submit(DelayJobRequest<T> request, Duration delay) {
        return CallException.await(submitAsync(request, delay));
    }

    @Override
    public <T> SubmitResult submit(DelayJobRequest<T> request, Instant dueAt) {
        return CallException.await(submitAsync(request, dueAt));
    }

    @Override
    public List<SubmitResult> submitAll(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Duration> delay) {
        return CallException.await(submitAllAsync(requests, delay));
    }

    @Override
    public List<SubmitResult> submitAllAt(
            Collection<? extends DelayJobRequest<?>> requests, Function<? super DelayJobRequest<?>, Instant> dueAt) {
        return CallException.await(submitAllAtAsync(requests, dueAt));
    }

    private OutgoingJob after(DelayJobRequest<?> request, Duration delay) {
        return writer.write(Checks.notNull(request, "request"), Checks.delay(delay), null);
    }

    private OutgoingJob at(DelayJobRequest<?> request, Instant dueAt) {
        return writer.write(Checks.notNull(request, "request"), null, Checks.dueAt(dueAt));
    }

    private static List<OutgoingJob> written(
            Collection<? extends DelayJobRequest<?>> requests, Function<DelayJobRequest<?>, OutgoingJob> write) {
        List<OutgoingJob> jobs =
                new ArrayList<>(Checks.notNull(requests, "requests").size());
        requests.forEach(request -> jobs.add(write.apply(Checks.notNull(request, "request"))));
        return jobs;
    }

    private CompletableFuture<List<SubmitResult>> submit(List<OutgoingJob> jobs) {
        Map<String, String> headers = settings.submitHeaders().get();
        List<OutgoingJob> later =
                jobs.stream().filter(OutgoingJob::waitsForCommit).toList();
        if (later.isEmpty() || !afterCommit(() -> send(headers, later, later))) {
            return send(headers, jobs, jobs);
        }
        return send(headers, jobs.stream().filter(job -> !job.waitsForCommit()).toList(), jobs);
    }

    /** False if there is no transaction. */
    private static boolean afterCommit(Supplier<CompletableFuture<?>> submit) {
        try {
            return AfterCommit.register(submit);
        } catch (NoClassDefFoundError e) {
            // The application has no Spring, and hence no transactions of it.
            return false;
        }
    }

    private CompletableFuture<List<SubmitResult>> send(
            Map<String, String> headers, List<OutgoingJob> jobs, List<OutgoingJob> all) {
        return new Submission(settings, turns, headers, jobs, all).send();
    }
}

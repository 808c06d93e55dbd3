package io.delayjob.test;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobOptions;
import io.delayjob.SubmitResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A submit of a test that was answered.
 *
 * @param job the stored name of the job: the topic, or the name of the {@link io.delayjob.DelayJob} class
 * @param queue the queue
 * @param id the id of the job that exists now
 * @param outcome the result of the submit; only STORED and REPLACED made a new job
 * @param request the request after all interceptors
 * @param submittedAt when the submit was answered, by the {@link VirtualClock}
 * @param dueAt the due time in the submit, by the {@link VirtualClock}
 */
public record SubmittedJob(
        String job,
        String queue,
        String id,
        SubmitResult.Outcome outcome,
        DelayJobRequest<?> request,
        Instant submittedAt,
        Instant dueAt) {

    /**
     * The job's parameter.
     *
     * @return the same object that was submitted; null for a job without a param
     */
    public @Nullable Object param() {
        return request.param();
    }

    /**
     * The headers of the job.
     *
     * @return the headers
     */
    public Map<String, String> headers() {
        return request.headers();
    }

    /**
     * The priority of the job.
     *
     * @return that of the request, else of its class or listener, else the usual one
     */
    public int priority() {
        return Objects.requireNonNullElse(request.options().priority(), JobOptions.USUAL_PRIORITY);
    }

    /**
     * The key of the job.
     *
     * @return null if it has none
     */
    public @Nullable String key() {
        return request.options().key();
    }

    /**
     * The time from the submit to the due time in it.
     *
     * @return negative if it was submitted with a due time that had passed
     */
    public Duration dueIn() {
        return Duration.between(submittedAt, dueAt);
    }

    /** The text in the messages of failed assertions. */
    @Override
    public String toString() {
        String priority = priority() == JobOptions.USUAL_PRIORITY ? "" : ", priority " + priority();
        String key = key() == null ? "" : ", key '" + key() + "'";
        String headers = headers().isEmpty() ? "" : ", headers " + headers();
        String result = outcome == SubmitResult.Outcome.STORED ? "" : ", outcome " + outcome;
        return JobNames.display(job) + ", param " + param() + ", due in " + dueIn() + " (" + dueAt + "), queue '"
                + queue + "', id '" + id + "'" + priority + key + headers + result;
    }
}

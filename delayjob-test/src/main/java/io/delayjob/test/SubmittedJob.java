package io.delayjob.test;

import io.delayjob.DelayJobRequest;
import io.delayjob.SubmitResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One answered submit of a test.
 *
 * @param job the name that is stored: the topic, or that of the {@link io.delayjob.DelayJob} class
 * @param queue the queue
 * @param id the job that stands now
 * @param outcome what the submit led to; only STORED and REPLACED made a new job
 * @param request as it was submitted, interceptors included
 * @param submittedAt when, by the {@link VirtualClock}
 * @param dueAt when the job was to be due, by the {@link VirtualClock}
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
     * What the job is given.
     *
     * @return the very object that was submitted; null for a job without a param
     */
    public @Nullable Object param() {
        return request.param();
    }

    /**
     * What travels with the job.
     *
     * @return the headers
     */
    public Map<String, String> headers() {
        return request.headers();
    }

    /**
     * How long after its submit the job was to be due.
     *
     * @return negative if it was submitted with a due time that had passed
     */
    public Duration dueIn() {
        return Duration.between(submittedAt, dueAt);
    }

    /** As the messages of failed assertions show it. */
    @Override
    public String toString() {
        String headers = headers().isEmpty() ? "" : ", headers " + headers();
        String result = outcome == SubmitResult.Outcome.STORED ? "" : ", outcome " + outcome;
        return JobNames.display(job) + ", param " + param() + ", due in " + dueIn() + " (" + dueAt + "), queue '"
                + queue + "', id '" + id + "'" + headers + result;
    }
}

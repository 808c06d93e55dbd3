package io.delayjob.server.internal.protocols.delayqueue;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.delayjob.ClaimedJob;
import io.delayjob.server.web.View;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ProblemDetail;

/**
 * The answer to every command. Fields without a value are left out.
 *
 * @param success whether the command succeeded
 * @param error why it failed
 * @param id the job
 * @param job the rest of the job that was handed out
 * @param jobs the jobs that were handed out, if several were asked for
 */
record Reply(
        boolean success,
        @Nullable String error,
        @Nullable String id,
        @JsonUnwrapped @Nullable Popped job,
        @Nullable List<PoppedOf> jobs)
        implements View {

    /**
     * A job that was handed out.
     *
     * @param value its body, as it came
     * @param topic its topic
     * @param attempt how often it has been handed out
     */
    record Popped(@JsonRawValue String value, String topic, int attempt) {

        static Popped of(ClaimedJob job) {
            return new Popped(job.param(), job.topic(), job.attempt());
        }

        /** Without the body, which may be secret. */
        @Override
        public String toString() {
            return "Popped[topic=" + topic + ", attempt=" + attempt + "]";
        }
    }

    /** One of several jobs. */
    record PoppedOf(String id, @JsonUnwrapped Popped job) {

        static PoppedOf of(ClaimedJob job) {
            return new PoppedOf(job.id(), Popped.of(job));
        }
    }

    static Reply done(String id) {
        return new Reply(true, null, id, null, null);
    }

    static Reply failed(@Nullable String error, @Nullable String id) {
        return new Reply(false, error, id, null, null);
    }

    static Reply of(ProblemDetail problem) {
        Object id =
                problem.getProperties() == null ? null : problem.getProperties().get(DelayQueueController.ID);
        return failed(problem.getDetail(), id == null ? null : id.toString());
    }

    /** One job, or none. */
    static Reply one(List<ClaimedJob> jobs) {
        return jobs.isEmpty()
                ? new Reply(true, null, null, null, null)
                : new Reply(true, null, jobs.get(0).id(), Popped.of(jobs.get(0)), null);
    }

    static Reply several(List<ClaimedJob> jobs) {
        return new Reply(true, null, null, null, jobs.stream().map(PoppedOf::of).toList());
    }
}

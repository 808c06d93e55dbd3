package io.delayjob.demo.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.demo.job.Attempt;
import io.delayjob.demo.job.ParamDTO;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job as the API shows it; null fields are left out. Times are Redis' clock unless said otherwise.
 *
 * @param id the job's id
 * @param queue its queue
 * @param state its state
 * @param attempt how many attempts have begun
 * @param dueAt when it is or was due
 * @param submittedAt when it was submitted
 * @param startedAt when its last attempt began, by the clock of this process; only of a completed job
 * @param leaseExpiresAt when its lease ends unless renewed; only of a running job
 * @param node the node that runs it; only of a running job
 * @param diedAt when it was given up; only of a dead job
 * @param lastError the first line of why the last attempt failed
 * @param lastErrorTrace the whole of that error, with its stack trace if there is one
 * @param headers its headers
 * @param param its parameter
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record JobView(
        String id,
        String queue,
        JobState state,
        int attempt,
        @Nullable Instant dueAt,
        @Nullable Instant submittedAt,
        @Nullable Instant startedAt,
        @Nullable Instant leaseExpiresAt,
        @Nullable String node,
        @Nullable Instant diedAt,
        @Nullable String lastError,
        @Nullable String lastErrorTrace,
        @Nullable Map<String, String> headers,
        Object param) {

    /** An unfinished job, with its param as JSON or, if it is none, as text. */
    static JobView of(JobSnapshot job, Object param) {
        String error = job.lastError();
        return new JobView(
                job.id(),
                job.queue(),
                job.state(),
                job.attempt(),
                job.dueAt(),
                job.submittedAt(),
                null,
                job.leaseExpiresAt(),
                job.node(),
                job.diedAt(),
                error == null ? null : error.lines().findFirst().orElse(error),
                error,
                job.headers(),
                param);
    }

    /** A job that was completed in this process. */
    static JobView completed(String queue, Attempt last) {
        return new JobView(
                last.id(),
                queue,
                JobState.COMPLETED,
                last.attempt(),
                last.dueAt(),
                null,
                last.startedAt(),
                null,
                null,
                null,
                null,
                null,
                null,
                new ParamDTO(last.name(), last.age()));
    }
}

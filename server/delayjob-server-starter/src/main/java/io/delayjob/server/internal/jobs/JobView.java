package io.delayjob.server.internal.jobs;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.delayjob.JobOptions;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.Progress;
import io.delayjob.server.web.ServerJson;
import io.delayjob.server.web.View;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A job as it was at one moment; see {@link JobSnapshot}. */
public record JobView(
        String queue,
        String id,
        @Nullable String topic,
        JobState state,
        int attempt,
        @Nullable Instant dueAt,
        @Nullable Instant submittedAt,
        @Nullable Instant startedAt,
        @Nullable Instant leaseEndsAt,
        @Nullable String node,
        @Nullable Instant diedAt,
        @Nullable Instant finishedAt,
        @Nullable String lastError,
        @Nullable Progress progress,
        @JsonRawValue @Nullable String result,
        @JsonUnwrapped JobOptions options,
        Map<String, String> headers,
        @JsonRawValue String param)
        implements View {

    /** Without what may be secret. */
    @Override
    public String toString() {
        return "JobView[queue=" + queue + ", id=" + id + ", state=" + state + "]";
    }

    /** That of a job. */
    public static JobView of(JobSnapshot job) {
        return new JobView(
                job.queue(),
                job.id(),
                job.job(),
                job.state(),
                job.attempt(),
                job.dueAt(),
                job.submittedAt(),
                job.startedAt(),
                job.leaseExpiresAt(),
                job.node(),
                job.diedAt(),
                job.finishedAt(),
                job.lastError(),
                job.progress(),
                job.result(),
                job.options(),
                job.headers(),
                ServerJson.embedded(job.param(), job.job() != null));
    }
}

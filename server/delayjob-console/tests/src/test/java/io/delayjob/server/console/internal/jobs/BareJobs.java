package io.delayjob.server.console.internal.jobs;

import io.delayjob.JobOptions;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Snapshots of jobs with nothing but what they must have. */
final class BareJobs {

    private BareJobs() {}

    static JobSnapshot of(
            String queue,
            String id,
            @Nullable String topic,
            JobState state,
            int attempt,
            JobOptions options,
            String param) {
        return new JobSnapshot(
                queue, id, topic, state, attempt, null, null, null, null, null, null, null, null, null, null, options,
                Map.of(), param);
    }
}

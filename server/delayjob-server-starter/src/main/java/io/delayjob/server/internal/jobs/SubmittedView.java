package io.delayjob.server.internal.jobs;

import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.SubmitResult;
import io.delayjob.server.web.View;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a submit.
 *
 * @param id the id of the job that exists now
 * @param queue its queue
 * @param state its state; left out if it has ended already and is not kept, or if Redis did not say
 * @param dueAt when it is due; left out as well then
 * @param outcome the outcome of the submit
 */
public record SubmittedView(
        String id,
        String queue,
        @Nullable JobState state,
        @Nullable Instant dueAt,
        SubmitResult.Outcome outcome) implements View {

    static SubmittedView of(SubmitResult result, Optional<JobSnapshot> job) {
        return new SubmittedView(
                result.id(),
                result.queue(),
                job.map(JobSnapshot::state).orElse(null),
                job.map(JobSnapshot::dueAt).orElse(null),
                result.outcome());
    }
}

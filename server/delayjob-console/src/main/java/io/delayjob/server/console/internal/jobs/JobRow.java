package io.delayjob.server.console.internal.jobs;

import io.delayjob.JobOptions;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.jobs.JobAction;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A job in a list.
 *
 * @param queue its queue
 * @param id its id
 * @param topic its topic, or the name of its handler; null if its record cannot be read
 * @param state its state
 * @param attempt how many attempts have begun
 * @param at the time that belongs to its state
 * @param node the node or worker that has it, or had it last; null if that is not known
 * @param error the first line of its last error
 * @param priority its priority; null if it is the usual one
 * @param journaled whether it is the journal that has it, and Redis no more
 */
public record JobRow(
        String queue,
        String id,
        @Nullable String topic,
        String state,
        int attempt,
        @Nullable Instant at,
        @Nullable String node,
        @Nullable String error,
        @Nullable Integer priority,
        boolean journaled) {

    /** That of a job. */
    public static JobRow of(JobSnapshot job) {
        return of(job, false);
    }

    /** That of a job, which may be one that the journal has. */
    static JobRow of(JobSnapshot job, boolean journaled) {
        boolean deleted = job.diedAt() != null && job.finishedAt() != null;
        return new JobRow(
                job.queue(),
                job.id(),
                job.job(),
                deleted ? "DELETED" : job.state().name(),
                job.attempt(),
                at(job.startedAt(), job.finishedAt(), job.diedAt(), job.dueAt()),
                job.node(),
                firstLine(job.lastError()),
                priority(job) == JobOptions.USUAL_PRIORITY ? null : priority(job),
                journaled);
    }

    private static @Nullable Instant at(@Nullable Instant... times) {
        for (Instant time : times) {
            if (time != null) {
                return time;
            }
        }
        return null;
    }

    static int priority(JobSnapshot job) {
        return Objects.requireNonNullElse(job.options().priority(), JobOptions.USUAL_PRIORITY);
    }

    static @Nullable String firstLine(@Nullable String text) {
        return text == null ? null : text.lines().findFirst().orElse("");
    }

    /** The actions that its state allows, by their labels. */
    public List<String> acts() {
        return Stream.of(JobAction.values())
                .filter(action -> !journaled && allows(state, action))
                .map(JobAction::label)
                .toList();
    }

    /** Whether a state, as lists name it, allows an action. */
    static boolean allows(String state, JobAction action) {
        return action.states().stream().map(JobState::name).anyMatch(state::equals);
    }

    /** Where its page is. */
    public String link() {
        return "/job?queue=" + queue + "&id=" + Pages.encoded(id);
    }
}

package io.delayjob.server.console.internal.bulk;

import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.jobs.Fault;
import io.delayjob.server.console.internal.jobs.Filter;
import io.delayjob.server.console.internal.jobs.Redaction;
import io.delayjob.server.internal.access.Access;
import io.delayjob.server.internal.jobs.ActionsController.Action;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that are to be acted on: those of one queue and one state that a filter lets pass.
 *
 * @param filter the filter
 * @param queue the queue
 * @param state the state
 * @param fault the key of what they failed for; null for all
 */
record Selection(
        Filter filter,
        String queue,
        JobState state,
        @Nullable String fault) {

    /**
     * Reads what was chosen.
     *
     * @throws IllegalArgumentException if it is not of one queue and one state
     */
    static Selection of(String text, @Nullable String fault, Redaction redaction, Access access) {
        Filter filter = Filter.parse(text, redaction);
        if (filter.queue() == null || filter.states().size() != 1) {
            throw new IllegalArgumentException(
                    "many jobs are acted on in one queue and one state: add queue: and state:, such as queue:mail state:dead");
        }
        return new Selection(
                filter,
                access.require(filter.queue(), Role.READ),
                filter.states().get(0),
                fault);
    }

    boolean matches(JobSnapshot job) {
        return filter.matches(job)
                && (fault == null
                        || (job.lastError() != null
                                && Fault.of(job.lastError()).key().equals(fault)));
    }

    /** What can be done with jobs of that state. */
    List<Action> actions() {
        return switch (state) {
            case DEAD -> List.of(Action.REDRIVE);
            case DELAYED, READY -> List.of(Action.RUN_NOW, Action.CANCEL);
            case RESERVED -> List.of(Action.CANCEL);
            case COMPLETED, CANCELLED -> List.of();
        };
    }

    /**
     * The action of a name.
     *
     * @throws IllegalArgumentException if it is not possible in that state
     */
    Action action(String name) {
        return actions().stream()
                .filter(action -> label(action).equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("jobs that are " + state + " cannot be acted on by " + name));
    }

    static String label(Action action) {
        return action.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

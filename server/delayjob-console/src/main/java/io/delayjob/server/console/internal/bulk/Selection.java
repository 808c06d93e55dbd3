package io.delayjob.server.console.internal.bulk;

import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.server.console.internal.jobs.Fault;
import io.delayjob.server.console.internal.jobs.Filter;
import io.delayjob.server.console.internal.pages.BadInput;
import io.delayjob.server.jobs.JobAction;
import io.delayjob.support.Checks;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The jobs that are to be acted on.
 *
 * @param filter which jobs
 * @param queues the queues they are in
 * @param fault the key of what they failed for; null for all
 */
record Selection(
        Filter filter, List<String> queues, @Nullable String fault) {

    private static final List<JobAction> ACTIONS =
            List.of(JobAction.REDRIVE, JobAction.RUN_NOW, JobAction.RESCHEDULE, JobAction.CANCEL, JobAction.PURGE);

    /** Begins the name of an action on all that match, also on those that were not counted. */
    private static final String ALL = "all-";

    Selection {
        queues = List.copyOf(queues);
    }

    boolean matches(JobSnapshot job) {
        return filter.matches(job) && (fault == null || Fault.isOf(job.lastError(), fault));
    }

    /** The states that the jobs may be in. */
    List<JobState> states() {
        return filter.states().isEmpty() ? Arrays.asList(JobState.values()) : filter.states();
    }

    /** The states of the jobs that an action would act on; all others are skipped. */
    List<JobState> touched(JobAction action) {
        return action.states().stream().filter(states()::contains).toList();
    }

    /** The actions that are possible for at least some of the jobs. */
    List<JobAction> actions() {
        return ACTIONS.stream().filter(action -> !touched(action).isEmpty()).toList();
    }

    /**
     * The action of a name, whether it is for those that were counted or for all.
     *
     * @throws IllegalArgumentException if it is not possible in any of the states
     */
    JobAction action(String name) {
        String label = isForAll(name) ? name.substring(ALL.length()) : name;
        return actions().stream()
                .filter(action -> action.label().equals(label))
                .findFirst()
                .orElseThrow(() -> BadInput.of("action", states().toString(), Checks.shown(name)));
    }

    /** Whether the name is of an action on all that match. */
    static boolean isForAll(String name) {
        return name.startsWith(ALL);
    }

    /** Whether a run can be undone: jobs that wait for another time wait for the time that they had. Nothing else can be taken back. */
    static boolean isUndoable(JobAction action) {
        return action == JobAction.RESCHEDULE || action == JobAction.RUN_NOW;
    }

    static Stream<String> labels() {
        return ACTIONS.stream().map(JobAction::label);
    }
}

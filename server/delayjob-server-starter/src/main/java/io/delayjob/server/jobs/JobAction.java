package io.delayjob.server.jobs;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.delayjob.JobState;
import io.delayjob.server.Role;
import io.delayjob.support.Checks;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** An action on a job. */
public enum JobAction {
    /** Cancel it. */
    @JsonProperty("cancel")
    CANCEL,
    /** Give it a new due time. */
    @JsonProperty("reschedule")
    RESCHEDULE,
    /** Make it due at once. */
    @JsonProperty("run-now")
    RUN_NOW,
    /** Make a dead job wait again. */
    @JsonProperty("redrive")
    REDRIVE,
    /** Remove a dead job for good. */
    @JsonProperty("purge")
    PURGE;

    /** {@return the name of the action in requests and addresses} */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The action of a name.
     *
     * @param label its {@link #label()}
     * @return the action
     * @throws IllegalArgumentException if there is none
     */
    public static JobAction of(String label) {
        return Stream.of(values())
                .filter(action -> action.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("action must be one of "
                        + Stream.of(values()).map(JobAction::label).toList() + ": " + Checks.shown(label)));
    }

    /** {@return the states of the jobs that the action is for; it does nothing to all others} */
    public List<JobState> states() {
        return switch (this) {
            case REDRIVE, PURGE -> List.of(JobState.DEAD);
            case RUN_NOW, RESCHEDULE -> List.of(JobState.READY, JobState.DELAYED);
            case CANCEL -> List.of(JobState.RESERVED, JobState.READY, JobState.DELAYED);
        };
    }

    Role[] roles() {
        return this == REDRIVE || this == PURGE ? new Role[] {Role.OPERATE} : new Role[] {Role.SUBMIT, Role.OPERATE};
    }
}

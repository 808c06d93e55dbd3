package io.delayjob.server.jobs;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.delayjob.server.Role;
import java.util.Locale;

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
        return valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    Role[] roles() {
        return this == REDRIVE || this == PURGE ? new Role[] {Role.OPERATE} : new Role[] {Role.SUBMIT, Role.OPERATE};
    }
}

package io.delayjob.engine.settings;

import io.delayjob.support.Checks;
import java.time.Duration;

/**
 * How this node runs jobs.
 *
 * @param enabled whether it runs jobs, or only submits them
 * @param noHandlerTimeout how long a job that no node can run is passed around before it is buried
 * @param shutdownTimeout how long running jobs may go on at shutdown before they are interrupted and released
 */
public record ConsumeSettings(boolean enabled, Duration noHandlerTimeout, Duration shutdownTimeout) {

    /** Checks the values. */
    public ConsumeSettings {
        Checks.notNegative(noHandlerTimeout, "noHandlerTimeout");
        Checks.notNegative(shutdownTimeout, "shutdownTimeout");
    }
}

package io.delayjob.engine.settings;

import io.delayjob.support.Checks;
import java.time.Duration;

/**
 * How this node submits.
 *
 * @param maxParamBytes the longest param, as UTF-8 JSON
 * @param timeout by when a submit or an action on a job is answered
 * @param afterCommit whether submits inside a transaction wait for its commit, unless their request says otherwise
 */
public record SubmitSettings(int maxParamBytes, Duration timeout, boolean afterCommit) {

    /** Checks the values. */
    public SubmitSettings {
        Checks.atLeastOne(maxParamBytes, "maxParamBytes");
        Checks.positive(timeout, "submitTimeout");
    }
}

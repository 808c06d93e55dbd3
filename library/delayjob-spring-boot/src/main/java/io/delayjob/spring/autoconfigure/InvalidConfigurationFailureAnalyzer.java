package io.delayjob.spring.autoconfigure;

import io.delayjob.spring.InvalidConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a configuration error as Boot shows its own. */
public final class InvalidConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidConfigurationException cause) {
        return new FailureAnalysis(
                "delayjob cannot start: " + cause.getMessage(), "Change what the description names.", cause);
    }
}

package io.delayjob.redisson.autoconfigure;

import io.delayjob.redisson.internal.listener.InvalidConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a configuration error as Boot shows its own. */
final class InvalidConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidConfigurationException cause) {
        return new FailureAnalysis(
                "delayjob cannot start: " + cause.getMessage(), "Change what the description names.", cause);
    }
}

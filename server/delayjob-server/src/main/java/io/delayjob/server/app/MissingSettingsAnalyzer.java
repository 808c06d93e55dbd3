package io.delayjob.server.app;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says which settings are missing, and how a container sets them. */
final class MissingSettingsAnalyzer extends AbstractFailureAnalyzer<MissingSettingsException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, MissingSettingsException cause) {
        return new FailureAnalysis(
                "The server may start no Redis of its own here (embedded-redis.folder=false), so it needs settings that are not there.",
                cause.getMessage(),
                cause);
    }
}

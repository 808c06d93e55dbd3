package io.delayjob.embedded.autoconfigure;

import io.delayjob.embedded.EmbeddedRedisException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in a few lines that the application's own Redis could not be started, and what can be done. */
final class EmbeddedRedisFailureAnalyzer extends AbstractFailureAnalyzer<EmbeddedRedisException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, EmbeddedRedisException cause) {
        return new FailureAnalysis(
                "The application could not start a Redis of its own. " + cause.getMessage(),
                "Start it with --spring.data.redis.host=<host> and --spring.data.redis.port=<port> of a Redis that"
                        + " runs, or with another --embedded-redis.folder=<folder> if it is the folder that cannot be used.",
                cause);
    }
}

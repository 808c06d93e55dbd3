package io.delayjob.redisson.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.redisson.client.RedisConnectionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.Environment;

/** Says in a few lines that Redis was not there at start, and what can be done. */
final class RedisUnreachableFailureAnalyzer extends AbstractFailureAnalyzer<RedisConnectionException> {

    private final @Nullable Environment environment;

    RedisUnreachableFailureAnalyzer(@Nullable Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, RedisConnectionException cause) {
        if (environment == null || !environment.getProperty("delayjob.enabled", Boolean.class, true)) {
            return null;
        }
        return new FailureAnalysis(
                "Redis could not be reached: "
                        + NestedExceptionUtils.getMostSpecificCause(cause).getMessage(),
                "Start Redis, or set spring.data.redis.host and spring.data.redis.port (or .sentinel.*, .cluster.*) to where"
                        + " it is. To start without Redis and keep trying, set delayjob.fail-fast=false.",
                cause);
    }
}

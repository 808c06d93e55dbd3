package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.redisson.client.RedisConnectionException;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.mock.env.MockEnvironment;

class RedisUnreachableFailureAnalyzerTest {

    private final MockEnvironment environment = new MockEnvironment();
    private final Throwable failure = new BeanCreationException(
            "redisson", new RedisConnectionException("Unable to connect to 127.0.0.1/127.0.0.1:6379"));

    @Test
    void saysWhereRedisWasLookedForAndWhatToSet() {
        assertThat(new RedisUnreachableFailureAnalyzer(environment).analyze(failure))
                .isNotNull()
                .satisfies(analysis -> {
                    assertThat(analysis.getDescription()).contains("Redis could not be reached", "127.0.0.1:6379");
                    assertThat(analysis.getAction())
                            .contains("spring.data.redis.host", "spring.data.redis.port", "delayjob.fail-fast=false");
                });
    }

    @Test
    void leavesTheFailureToOthersWhereDelayjobIsSwitchedOff() {
        environment.setProperty("delayjob.enabled", "false");
        assertThat(new RedisUnreachableFailureAnalyzer(environment).analyze(failure))
                .isNull();
        assertThat(new RedisUnreachableFailureAnalyzer(null).analyze(failure)).isNull();
    }

    @Test
    void leavesOtherFailuresToOthers() {
        assertThat(new RedisUnreachableFailureAnalyzer(environment).analyze(new IllegalStateException("other")))
                .isNull();
    }
}

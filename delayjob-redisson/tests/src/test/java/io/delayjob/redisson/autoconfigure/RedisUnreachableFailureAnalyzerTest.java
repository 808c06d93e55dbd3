package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.redisson.client.RedisConnectionException;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.FailureAnalysis;
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
    void namesTheSettingsOfTheRedisOfTheJobsWhereThatIsAnother() {
        environment.setProperty("delayjob.redis.port", "1");
        assertThat(new RedisUnreachableFailureAnalyzer(environment).analyze(failure))
                .isNotNull()
                .satisfies(analysis -> assertThat(analysis.getAction())
                        .contains("delayjob.redis.host and delayjob.redis.port")
                        .doesNotContain("spring.data.redis"));
    }

    @Test
    void showsTheAddressThatTheInnermostCauseDoesNotName() {
        Throwable connect = new IOException(
                "Connection refused: localhost/127.0.0.1:1", new ConnectException("Connection refused"));
        Throwable outer = new RedisConnectionException("Unable to connect to Redis server", connect);
        assertThat(description(outer))
                .isEqualTo("Redis could not be reached: Connection refused: localhost/127.0.0.1:1");
        assertThat(description(new RedisConnectionException("at [0:0:0:0:0:0:0:1]:6379", new IOException())))
                .isEqualTo("Redis could not be reached: at [0:0:0:0:0:0:0:1]:6379");
        assertThat(description(new RedisConnectionException("at redis:6379", new IOException("closed"))))
                .isEqualTo("Redis could not be reached: at redis:6379");
        assertThat(description(new RedisConnectionException("no address", new IOException("12:00:00"))))
                .isEqualTo("Redis could not be reached: 12:00:00");
    }

    @Test
    void namesHostAndPortOfAHostThatNobodyKnowsAndNoSecret() {
        Throwable unknown = new RedisConnectionException(new UnknownHostException("Failed to resolve 'no-such-host'"));
        environment.setProperty("spring.data.redis.host", "no-such-host");
        assertThat(description(unknown))
                .isEqualTo("Redis could not be reached at no-such-host:6379: Failed to resolve 'no-such-host'");
        environment.setProperty("spring.data.redis.port", "6380");
        assertThat(description(unknown)).startsWith("Redis could not be reached at no-such-host:6380: ");
        environment.setProperty("spring.data.redis.url", "rediss://ann:s3cr@t@other-host:1");
        assertThat(description(unknown)).startsWith("Redis could not be reached at other-host:1: ");
        environment.setProperty("spring.data.redis.sentinel.nodes", "a:1,b:2");
        assertThat(description(unknown)).startsWith("Redis could not be reached at a:1,b:2: ");
    }

    @Test
    void namesTheAddressOfTheFailureAloneWhereItHasOne() {
        environment.setProperty("spring.data.redis.host", "cache");
        assertThat(description(new RedisConnectionException("Unable to connect to jobs:6380")))
                .isEqualTo("Redis could not be reached: Unable to connect to jobs:6380");
    }

    private @Nullable String description(Throwable failure) {
        FailureAnalysis analysis = new RedisUnreachableFailureAnalyzer(environment).analyze(failure);
        return analysis == null ? null : analysis.getDescription();
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

package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.embedded.EmbeddedRedis;
import io.delayjob.embedded.autoconfigure.RedisLocation;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

/** An application that starts a Redis of its own, because no property says where another one is. */
@DelayJobTest(
        classes = {WithoutEmbeddedRedisTest.Application.class, Notes.class},
        properties = "embedded-redis.folder=target/embedded-redis")
class WithoutEmbeddedRedisTest {

    @EnableAutoConfiguration
    static class Application {}

    @Autowired
    private ObjectProvider<EmbeddedRedis> redis;

    @Autowired
    private ObjectProvider<RedisLocation> location;

    @Test
    void startsNoRedis() {
        assertThat(redis.stream()).isEmpty();
    }

    @Test
    void leavesTheBeanThatTellsWhereRedisIs() {
        assertThat(location.stream()).hasSize(1);
    }
}

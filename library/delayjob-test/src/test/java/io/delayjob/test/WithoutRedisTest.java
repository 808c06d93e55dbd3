package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobProducer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.redisson.api.RedissonClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** A whole application with Redisson's starter, and in place of Redis a port at which it would be noticed. */
@DelayJobTest(
        classes = {WithoutRedisTest.Application.class, Notes.class},
        properties = {
            "delayjob.consume=true",
            "spring.autoconfigure.exclude=org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration"
        })
class WithoutRedisTest {

    private static final ServerSocket redis = open();

    @EnableAutoConfiguration
    static class Application {}

    private static ServerSocket open() {
        try {
            return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @DynamicPropertySource
    static void location(DynamicPropertyRegistry properties) {
        properties.add("spring.data.redis.host", () -> "127.0.0.1");
        properties.add("spring.data.redis.port", redis::getLocalPort);
    }

    @AfterAll
    static void close() throws IOException {
        redis.close();
    }

    @Autowired
    private ApplicationContext context;

    @Autowired
    private ObjectProvider<RedissonClient> redisson;

    @Autowired
    private DelayJobProducer producer;

    @Autowired
    private VirtualClock clock;

    @Test
    void runsJobsWithoutARedissonClientOrAConnection() throws IOException {
        producer.submitDelayJob(Notes.class, "tea", Duration.ofDays(1));
        assertThat(clock.drain()).isEqualTo(1);

        assertThat(redisson.stream()).isEmpty();
        assertThat(context.getBeansOfType(RedisOperations.class)).isEmpty();
        assertThat(connected()).isFalse();
    }

    private static boolean connected() throws IOException {
        redis.setSoTimeout(1);
        try {
            redis.accept().close();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    @Test
    void leavesTheUsersOwnExclusionsAndTheRestOfTheAutoConfigurationAlone() {
        assertThat(context.getBeanProvider(TaskSchedulingAutoConfiguration.class).stream())
                .isEmpty();
        assertThat(context.getBeanProvider(DataRedisAutoConfiguration.class).stream())
                .hasSize(1);
    }

    @Test
    void startsNoThreadThatRunsJobs() {
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.startsWith("delayjob-default"));
    }
}

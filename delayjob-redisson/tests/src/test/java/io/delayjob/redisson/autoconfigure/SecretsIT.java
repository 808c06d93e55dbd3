package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobEvent;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.embedded.RedisCall;
import io.delayjob.spi.JobEventListener;
import io.delayjob.testing.OwnRedis;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.handler.annotation.Header;

/** Everything is printed, and things go wrong: neither the user of Redis nor what jobs carry is in it. */
@ExtendWith(OutputCaptureExtension.class)
class SecretsIT {

    private static final String USER = "u53r-of-redis";
    private static final String PASSWORD = "p455w0rd-of-redis";
    private static final String SECRET = "4111-5c3r37";
    private static final Duration SOON = Duration.ofMinutes(2);

    private final OwnRedis redis = OwnRedis.start();
    private final String queue = TestApplication.queue();

    record Card(String number, int amount) {}

    /** Listens as a careless application does: it prints all it is given. */
    @Configuration(proxyBeanMethods = false)
    static class Shop {

        private final Queue<JobEvent> events = new ConcurrentLinkedQueue<>();

        @Bean
        JobEventListener events() {
            return event -> {
                System.out.println(event);
                events.add(event);
            };
        }

        @DelayJobListener(topic = "pay", maxAttempts = "2")
        void pay(Card card) {
            if (card.amount() > 1) {
                throw new IllegalStateException("the bank is closed");
            }
        }

        @DelayJobListener(topic = "count")
        void count(Card card, @Header("times") int times) {
            throw new AssertionError("not reached: " + times);
        }
    }

    @BeforeEach
    void createUser() throws Exception {
        RedisCall.call(redis.url(), "ACL", "SETUSER", USER, "on", ">" + PASSWORD, "~*", "&*", "+@all", "-incrby");
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private ConfigurableApplicationContext start(int port, String user, String password, String... more) {
        return TestApplication.start(
                Shop.class,
                Stream.concat(
                                Stream.of(
                                        "spring.data.redis.host=127.0.0.1",
                                        "spring.data.redis.port=" + port,
                                        "spring.data.redis.username=" + user,
                                        "spring.data.redis.password=" + password,
                                        "spring.data.redis.timeout=2500ms",
                                        "delayjob.default-queue=" + queue,
                                        "delayjob.shutdown-timeout=1s",
                                        "delayjob.backoff.initial=10ms",
                                        "logging.level.io.delayjob=DEBUG"),
                                Arrays.stream(more))
                        .toArray(String[]::new));
    }

    private static void submit(ConfigurableApplicationContext context, String topic, String id, Object param) {
        context.getBean(DelayJobProducer.class)
                .submitDelayJob(
                        DelayJobRequest.toTopic(topic, param).withId(id).withHeader("times", SECRET), Duration.ZERO);
    }

    private static void print(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        System.out.println(text);
    }

    private static void assertSilent(CapturedOutput output) {
        assertThat(output.getAll()).doesNotContain(SECRET, PASSWORD, USER);
    }

    @Test
    void jobsThatFailInEveryWayAreNotQuoted(CapturedOutput output) throws Exception {
        RedisCall.call(redis.url(), "SET", "delayjob:{events}:wanted", "kept=1000|since=1");
        try (ConfigurableApplicationContext context = start(redis.port(), USER, PASSWORD)) {
            submit(context, "pay", "during", new Card(SECRET, 1));
            await().atMost(SOON).until(() -> output.getOut().contains("NOPERM"));
            RedisCall.call(redis.url(), "ACL", "SETUSER", USER, "+@all");
            submit(context, "pay", "fails", new Card(SECRET, 9));
            submit(context, "count", "header", new Card(SECRET, 1));
            submit(context, "unread", "unknown", new Card(SECRET, 1));
            raw(
                    "unbound",
                    "{\"v\":1,\"at\":1,\"job\":\"pay\",\"param\":{\"number\":\"x\",\"amount\":\"" + SECRET + "\"}}");
            raw("typed", "{\"v\":1,\"at\":1,\"job\":\"pay\",\"param\":\"" + SECRET + "\"}");
            raw("broken", "{\"v\":1,\"at\":1," + SECRET);
            DelayJobAdmin admin = context.getBean(DelayJobAdmin.class);
            for (String id : new String[] {"fails", "header", "unbound", "typed", "broken"}) {
                await(id)
                        .atMost(SOON)
                        .until(() -> admin.find(queue, id)
                                .map(JobSnapshot::state)
                                .filter(JobState.DEAD::equals)
                                .isPresent());
                System.out.println(
                        admin.find(queue, id) + " " + admin.explain(queue, id).job());
            }
            // The param, and the message of the application's exception, are still there for the admin.
            assertThat(admin.find(queue, "unbound").orElseThrow().param()).contains(SECRET);
            assertThat(admin.find(queue, "fails").orElseThrow().lastError()).contains("the bank is closed");
            System.out.println(DelayJobRequest.toTopic("pay", new Card(SECRET, 1)));
            assertThat(admin.nodes(queue).toString()).doesNotContain(USER, PASSWORD);
            // A job is dead in Redis before its event is told.
            await().atMost(SOON)
                    .untilAsserted(
                            () -> assertThat(output).contains("is dead", "failed attempt", "Buried[", "Submitted["));
            // The stream hears of it a little later still.
            await().atMost(SOON)
                    .untilAsserted(() ->
                            assertThat(events()).contains("submitted", "retried", "buried", "the bank is closed"));
        }
        assertThat(events())
                .contains("submitted", "retried", "buried", "the bank is closed")
                .doesNotContain(SECRET, PASSWORD, USER);
        assertSilent(output);
    }

    private String events() throws Exception {
        return RedisCall.call(redis.url(), "XRANGE", "delayjob:{events}", "-", "+");
    }

    private void raw(String id, String record) throws Exception {
        String shard = "delayjob:{" + queue + ":0}:";
        // At once: a record that stands in no state is one that somebody has to mend.
        String store = "redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) redis.call('ZADD', KEYS[2], 1, ARGV[1])";
        RedisCall.call(redis.url(), "EVAL", store, "2", shard + "jobs", shard + "waiting", id, record);
    }

    @Test
    void whatASubmitThrowsWhenRedisIsSilentRefusesOrIsGoneHoldsNoParam(CapturedOutput output) throws Exception {
        try (ConfigurableApplicationContext context =
                start(redis.port(), USER, PASSWORD, "delayjob.submit-timeout=2s")) {
            RedisCall.call(redis.url(), "ACL", "SETUSER", USER, "-zadd");
            // Again if a slow machine has given it up before it was refused.
            await().atMost(SOON).untilAsserted(() -> {
                print(catchThrowable(() -> submit(context, "pay", "refused", new Card(SECRET, 1))));
                assertThat(output).contains("'refused'", "NOPERM");
            });
            RedisCall.call(redis.url(), "ACL", "SETUSER", USER, "+@all");
            redis.pause();
            print(catchThrowable(() -> submit(context, "pay", "silent", new Card(SECRET, 1))));
            redis.resume();
            redis.kill();
            print(catchThrowable(() -> submit(context, "pay", "gone", new Card(SECRET, 1))));
            assertThat(output).contains("'refused'", "NOPERM", "'silent'", "did not answer within", "'gone'");
        }
        assertSilent(output);
    }

    @Tag("proof")
    @Test
    void aStartThatFailsNamesNeitherUserNorPassword(CapturedOutput output) {
        print(catchThrowable(
                () -> start(redis.port(), USER, PASSWORD + "-wrong").close()));
        assertThat(output).contains("APPLICATION FAILED TO START", "Redis refused the user or its password");
        redis.kill();
        print(catchThrowable(() -> start(redis.port(), USER, PASSWORD).close()));
        assertThat(output).contains("Redis could not be reached");
        assertSilent(output);
    }
}

package io.delayjob.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobClaims;
import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobClaim;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.memory.MemoryBackend;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Tests the status that the health indicator reports, on a ledger in memory. */
class DelayJobHealthTest {

    private final String queue = "q-" + UUID.randomUUID();
    private final AtomicLong clock = new AtomicLong(1_700_000_000_000L);
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean silent;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    JacksonAutoConfiguration.class,
                    DelayJobAutoConfiguration.class,
                    DelayJobHealthAutoConfiguration.class))
            .withBean(Backend.class, () -> watched(Backend.class, new MemoryBackend(clock::get)))
            .withPropertyValues("delayjob.default-queue=" + queue, "delayjob.node=here");

    private final ApplicationContextRunner consuming = runner.withBean(Notes.class);

    /** Without any listener, a node consumes no queue. */
    static class Notes {

        @DelayJobListener(topic = "note")
        void on(String text) {}
    }

    /** Counts how often the ledgers are asked for how jobs stand, and lets them be silent. */
    private <I> I watched(Class<I> type, I target) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            if (method.getName().equals("tally")) {
                asked.incrementAndGet();
                if (silent) {
                    return new CompletableFuture<>();
                }
            }
            try {
                Object answer = method.invoke(target, args);
                return answer instanceof Ledger ledger ? watched(Ledger.class, ledger) : answer;
            } catch (InvocationTargetException e) {
                throw e.getTargetException();
            }
        }));
    }

    private static Health health(ApplicationContext context) {
        return Objects.requireNonNull(context.getBean("delayjobHealthIndicator", HealthIndicator.class)
                .health());
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> details(Health health) {
        Map<String, Map<String, Object>> queues = (Map<String, Map<String, Object>>)
                Objects.requireNonNull(health.getDetails().get("queues"));
        assertThat(queues).containsOnlyKeys(queue);
        return Objects.requireNonNull(queues.get(queue));
    }

    @Test
    void isUpAndShowsTheQueuesOfTheNode() {
        consuming.withPropertyValues("delayjob.concurrency=3").run(context -> {
            Health health = health(context);
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails()).containsEntry("node", "here");
            // A claim under way keeps the workers to which it may hand jobs.
            await().untilAsserted(() -> assertThat(details(health(context)))
                    .containsExactlyInAnyOrderEntriesOf(Map.of(
                            "ready",
                            0L,
                            "reserved",
                            0L,
                            "overdue",
                            Duration.ZERO,
                            "paused",
                            false,
                            "consumed",
                            true,
                            "workers",
                            3,
                            "free",
                            3)));
        });
    }

    @Test
    void showsTheClaimsOfWorkersElsewhereWhileThereAreSome() {
        runner.run(context -> {
            assertThat(health(context).getDetails()).doesNotContainKey("claims");
            DelayJobClaims claims = context.getBean(DelayJobClaims.class);
            var waiting = claims.claimAsync(
                    JobClaim.of(List.of("elsewhere", "somewhere")).withMaxWait(Duration.ofSeconds(50)));
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            assertThat(health(context).getDetails()).containsEntry("claims", Map.of("queues", 2, "waiting", 1L));
            waiting.cancel(true);
            // If it is just asking, it leaves when it is answered.
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(health(context).getDetails())
                            .containsEntry("claims", Map.of("queues", 2, "waiting", 0L)));
        });
    }

    /** Listens from when it is told to. */
    static class Later {

        @DelayJobListener(topic = "later", autoStartup = "false")
        void on(String text) {}
    }

    private void letAJobWait(AssertableApplicationContext context, Duration howLong) {
        context.getBean(DelayJobProducer.class).submit(DelayJobRequest.toTopic("later", "text"), Duration.ZERO);
        clock.addAndGet(howLong.toMillis());
    }

    @ParameterizedTest
    @CsvSource({"5m, PT5M, UP", "5m, PT5M0.001S, DOWN", "10s, PT11S, DOWN", "0, PT2000H, UP"})
    void isDownOnceAJobHasWaitedTooLong(String limit, Duration howLong, String status) {
        runner.withBean(Later.class)
                .withPropertyValues("delayjob.health.max-overdue=" + limit)
                .run(context -> {
                    letAJobWait(context, howLong);
                    Health health = health(context);
                    assertThat(health.getStatus()).isEqualTo(new Status(status));
                    assertThat(details(health))
                            .containsEntry("overdue", howLong)
                            .containsEntry("consumed", false);
                    if (status.equals("DOWN")) {
                        assertThat(details(health).get("faults"))
                                .asString()
                                .contains(
                                        "a job has waited for a worker for " + howLong, "delayjob.health.max-overdue");
                    }
                });
    }

    @ParameterizedTest
    @CsvSource({"up, UP", "out-of-service, OUT_OF_SERVICE"})
    void isWhatTheApplicationSaysWhileAQueueIsPausedHoweverLongJobsWaitInIt(String property, String status) {
        runner.withBean(Later.class)
                .withPropertyValues("delayjob.health.while-paused=" + property)
                .run(context -> {
                    context.getBean(DelayJobAdmin.class).pause(queue);
                    letAJobWait(context, Duration.ofDays(1));
                    Health health = health(context);
                    assertThat(health.getStatus()).isEqualTo(new Status(status));
                    assertThat(details(health)).containsEntry("paused", true).doesNotContainKey("faults");
                });
    }

    @Test
    void isDownOnceATakerHasEnded() {
        consuming.run(context -> {
            String taker = "delayjob-" + queue + ":0-taker";
            Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals(taker))
                    .forEach(Thread::interrupt);
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(health(context).getStatus()).isEqualTo(Status.DOWN));
            assertThat(details(health(context))).containsEntry("faults", List.of(taker + " has ended"));
        });
    }

    @Test
    void waitsForASilentRedisNoLongerThanToldAndAsksItNoSecondTime() {
        silent = true;
        consuming.withPropertyValues("delayjob.health.timeout=20ms").run(context -> {
            for (int i = 0; i < 3; i++) {
                Health health = health(context);
                assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                assertThat(details(health)).containsEntry("faults", List.of("Redis: did not answer within PT0.02S"));
            }
            assertThat(asked).hasValue(1);
        });
    }

    @Test
    void asksRedisOnceASecondAtMost() {
        consuming.run(context -> {
            long before = System.nanoTime();
            for (int i = 0; i < 100; i++) {
                assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            }
            long seconds = Duration.ofNanos(System.nanoTime() - before).toSeconds();
            assertThat(asked.get()).isBetween(1, (int) seconds + 1);
        });
    }

    @Test
    void asksForNoJobsWhereNoneAreRun() {
        silent = true;
        runner.withPropertyValues("delayjob.consume=false").run(context -> {
            Health health = health(context);
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(details(health)).containsOnly(Map.entry("consumed", false));
            assertThat(asked).hasValue(0);
        });
    }

    @Test
    void isSwitchedOffAsBootsOwnAre() {
        runner.withPropertyValues("management.health.delayjob.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HealthIndicator.class));
        runner.withPropertyValues("management.health.defaults.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HealthIndicator.class));
        runner.withPropertyValues("delayjob.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HealthIndicator.class));
    }

    @Test
    void isNotMissedWhereThereIsNoActuator() {
        runner.withConfiguration(AutoConfigurations.of(DelayJobEndpointAutoConfiguration.class))
                .withClassLoader(
                        new FilteredClassLoader("org.springframework.boot.health", "org.springframework.boot.actuate"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(DelayJobProducer.class));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    timeout=0s        | delayjob.health.timeout must be 1 ms to 1 m: PT0S
                    timeout=61s       | delayjob.health.timeout must be 1 ms to 1 m: PT1M1S
                    max-overdue=-1s   | delayjob.health.max-overdue must be zero or more, at most 8000 years: PT-1S
                    """)
    void refusesAValueOutOfRange(String assignment, String message) {
        runner.withPropertyValues("delayjob.health." + assignment)
                .run(context -> assertThat(context).getFailure().cause().hasMessageContaining(message));
    }
}

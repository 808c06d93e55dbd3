package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobPolicy;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobEvent;
import io.delayjob.JobExecution;
import io.delayjob.JobSubmissionException;
import io.delayjob.ReplicationException;
import io.delayjob.SubmitResult;
import io.delayjob.spi.JobEventListener;
import io.delayjob.spi.JobInterceptor;
import io.delayjob.spring.autoconfigure.TestTransactions;
import io.delayjob.testing.OwnRedis;
import io.delayjob.testing.RealRedis;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;

/** Policies, interceptors, events and transactions of an application on a real Redis. */
@RealRedis
class DelayJobExtensionsIT {

    private static final Parcel PARCEL = new Parcel("p", 1);

    private final String queue = TestApplication.queue();
    private final ApplicationContextRunner runner = TestApplication.runner(queue)
            .withBean(Ends.class)
            .withPropertyValues("delayjob.backoff.initial=5ms", "delayjob.backoff.max=5ms", "delayjob.max-attempts=4");

    private static DelayJobProducer producer(ApplicationContext context) {
        return context.getBean(DelayJobProducer.class);
    }

    /** Keeps how jobs ended. */
    static class Ends {

        private final BlockingQueue<JobEvent> seen = new LinkedBlockingQueue<>();

        @EventListener
        void on(JobEvent.Buried event) {
            seen.add(event);
        }

        @EventListener
        void on(JobEvent.Completed event) {
            seen.add(event);
        }

        JobEvent next() throws InterruptedException {
            JobEvent event = seen.poll(2, TimeUnit.MINUTES);
            if (event == null) {
                throw new AssertionError("no job ended within 2 min");
            }
            return event;
        }
    }

    /** Fails as a job wishes. */
    static class Failing {

        @DelayJobListener(topic = "stated", maxAttempts = "2")
        void stated(String failure) throws Exception {
            fail(failure);
        }

        @DelayJobListener(
                topic = "rules",
                noRetryFor = IOException.class,
                retryFor = {FileNotFoundException.class, ArithmeticException.class})
        void rules(String failure) throws Exception {
            fail(failure);
        }

        @DelayJobListener(topic = "silent")
        void silent(String failure) throws Exception {
            fail(failure);
        }
    }

    static void fail(String failure) throws Exception {
        throw switch (failure) {
            case "io" -> new IOException("io");
            case "file" -> new FileNotFoundException("file");
            case "arithmetic" -> new ArithmeticException("arithmetic");
            case "argument" -> new NumberFormatException("argument");
            default -> new IllegalStateException(failure);
        };
    }

    /** States its own. */
    @DelayJobPolicy(maxAttempts = "2")
    static class StatedJob implements DelayJob<String> {

        @Override
        public void execute(JobExecution<String> execution) throws Exception {
            fail("state");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "stated, true, true, 1",
        "stated, false, true, 2",
        "silent, false, true, 3",
        "silent, false, false, 4",
    })
    void triesAsOftenAsTheRequestElseTheListenerElseTheQueueElseAllQueuesSay(
            String topic, boolean inRequest, boolean forQueue, int attempts) {
        runner.withBean(Failing.class)
                .withPropertyValues(forQueue ? "delayjob.queues." + queue + ".max-attempts=3" : "none=")
                .run(context -> {
                    DelayJobRequest<String> request = DelayJobRequest.toTopic(topic, "state");
                    producer(context).submitDelayJob(inRequest ? request.withMaxAttempts(1) : request, Duration.ZERO);
                    assertThat(context.getBean(Ends.class).next())
                            .isInstanceOfSatisfying(
                                    JobEvent.Buried.class,
                                    buried -> assertThat(buried.attempt()).isEqualTo(attempts));
                });
    }

    @ParameterizedTest
    @CsvSource({"true, 1", "false, 2"})
    void triesABeanAsOftenAsTheRequestElseItsPolicySays(boolean inRequest, int attempts) {
        runner.withBean(StatedJob.class).run(context -> {
            DelayJobRequest<String> request = DelayJobRequest.of(StatedJob.class, "");
            producer(context).submitDelayJob(inRequest ? request.withMaxAttempts(1) : request, Duration.ZERO);
            assertThat(context.getBean(Ends.class).next())
                    .isInstanceOfSatisfying(
                            JobEvent.Buried.class,
                            buried -> assertThat(buried.attempt()).isEqualTo(attempts));
        });
    }

    @ParameterizedTest
    @CsvSource({"io, 1", "file, 4", "arithmetic, 4", "argument, 1", "state, 4"})
    void retriesByTheClassNearestToTheException(String failure, int attempts) {
        runner.withBean(Failing.class)
                .withPropertyValues(
                        "delayjob.no-retry-for=java.lang.IllegalArgumentException,java.lang.ArithmeticException")
                .run(context -> {
                    producer(context).submitDelayJob("rules", failure, Duration.ZERO);
                    assertThat(context.getBean(Ends.class).next())
                            .isInstanceOfSatisfying(
                                    JobEvent.Buried.class,
                                    buried -> assertThat(buried.attempt()).isEqualTo(attempts));
                });
    }

    /** Surrounds submits and attempts, and needs the producer. */
    @Configuration(proxyBeanMethods = false)
    static class Surroundings {

        @Bean
        @Order(2)
        JobInterceptor inner(Inbox inbox, DelayJobProducer producer) {
            return new Noting("inner", inbox);
        }

        @Bean
        @Order(1)
        JobInterceptor outer(Inbox inbox, DelayJobAdmin admin) {
            return new Noting("outer", inbox);
        }

        @Bean
        JobEventListener events(Inbox inbox, DelayJobProducer producer) {
            return event -> inbox.add(event.getClass().getSimpleName());
        }
    }

    /** Leaves its name. */
    private record Noting(String name, Inbox inbox) implements JobInterceptor {

        @Override
        public <T> DelayJobRequest<T> submit(DelayJobRequest<T> request) {
            return request.withHeader("by", request.headers().getOrDefault("by", "") + "+" + name);
        }

        @Override
        public void execute(JobExecution<?> execution, Attempt attempt) throws Exception {
            inbox.add(name);
            attempt.proceed();
        }
    }

    /** Keeps a header. */
    static class Listening {

        private final Inbox inbox;

        Listening(Inbox inbox) {
            this.inbox = inbox;
        }

        @DelayJobListener(topic = "listening")
        void on(JobExecution<Parcel> execution) {
            inbox.add(String.valueOf(execution.headers().get("by")));
        }
    }

    @Test
    void surroundsAJobInTheOrderOfItsInterceptorsAndTellsOfEveryStep() {
        runner.withUserConfiguration(Surroundings.class)
                .withBean(Listening.class)
                .run(context -> {
                    producer(context).submitDelayJob("listening", PARCEL, Duration.ZERO);
                    assertThat(context.getBean(Ends.class).next()).isInstanceOf(JobEvent.Completed.class);
                    Inbox inbox = context.getBean(Inbox.class);
                    inbox.awaitExactly("Submitted", "Claimed", "outer", "inner", "+outer+inner", "Completed");
                    assertThat(inbox.seen()).containsSubsequence("outer", "inner", "+outer+inner", "Completed");
                });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void submitsAfterTheCommitWhereTheRequestOrTheApplicationSaysSo(boolean byProperty) {
        TestTransactions transactions = new TestTransactions();
        DelayJobRequest<Parcel> plain =
                DelayJobRequest.toTopic("listening", PARCEL).withId("one");
        DelayJobRequest<Parcel> request = byProperty ? plain : plain.withAfterCommit(true);
        runner.withPropertyValues("delayjob.consume=false", "delayjob.submit-after-commit=" + byProperty)
                .run(context -> {
                    DelayJobAdmin admin = context.getBean(DelayJobAdmin.class);
                    transactions.rollBack(() -> assertThat(producer(context)
                                    .submit(request, Duration.ofMinutes(1))
                                    .outcome())
                            .isEqualTo(SubmitResult.Outcome.DEFERRED));
                    assertThat(admin.find(queue, "one")).isEmpty();
                    transactions.run(() -> {
                        assertThat(producer(context).submitAsync(request, Duration.ofMinutes(1)))
                                .isCompletedWithValue(new SubmitResult(queue, "one", SubmitResult.Outcome.DEFERRED));
                        producer(context).submit(request.withId("two").withAfterCommit(false), Duration.ofMinutes(1));
                        assertThat(admin.find(queue, "one")).isEmpty();
                        assertThat(admin.find(queue, "two")).isPresent();
                    });
                    assertThat(admin.find(queue, "one")).isPresent();
                    assertThat(producer(context)
                                    .submit(request.withId("three"), Duration.ofMinutes(1))
                                    .outcome())
                            .as("outside a transaction")
                            .isEqualTo(SubmitResult.Outcome.STORED);
                });
    }

    @Test
    void throwsWhatASubmitAfterTheCommitFailsWith() {
        TestTransactions transactions = new TestTransactions();
        try (OwnRedis redis = OwnRedis.start()) {
            runner.withPropertyValues(
                            "spring.data.redis.url=redis://127.0.0.1:" + redis.port(),
                            "delayjob.consume=false",
                            "delayjob.submit-timeout=100ms",
                            "delayjob.submit-after-commit=true")
                    .run(context -> assertThatExceptionOfType(JobSubmissionException.class)
                            .isThrownBy(() -> transactions.run(() -> {
                                producer(context)
                                        .submit(
                                                DelayJobRequest.toTopic("listening", PARCEL)
                                                        .withId("lost"),
                                                Duration.ZERO);
                                redis.stop();
                            }))
                            .satisfies(failure -> assertThat(failure.jobIds()).containsExactly("lost")));
        }
    }

    @Test
    void throwsAfterTheCommitWhatARedisWithoutReplicasCannotGive() {
        TestTransactions transactions = new TestTransactions();
        try (OwnRedis redis = OwnRedis.start()) {
            runner.withPropertyValues(
                            "spring.data.redis.url=redis://127.0.0.1:" + redis.port(),
                            "delayjob.consume=false",
                            "delayjob.replication.replicas=1",
                            "delayjob.replication.timeout=100ms",
                            "delayjob.submit-after-commit=true")
                    .run(context -> {
                        assertThatExceptionOfType(ReplicationException.class)
                                .isThrownBy(() -> transactions.run(() -> producer(context)
                                        .submit(
                                                DelayJobRequest.toTopic("listening", PARCEL)
                                                        .withId("alone"),
                                                Duration.ofHours(1))))
                                .withMessageContaining("0 of 1 replicas acknowledged it within PT0.1S")
                                .satisfies(
                                        failure -> assertThat(failure.jobIds()).containsExactly("alone"));
                        assertThat(context.getBean(DelayJobAdmin.class).find(queue, "alone"))
                                .isPresent();
                    });
        }
    }

    @Test
    void submitsNothingForATransactionThatFails() {
        TestTransactions transactions = new TestTransactions();
        runner.withPropertyValues("delayjob.consume=false", "delayjob.submit-after-commit=true")
                .run(context -> {
                    assertThatIllegalStateException()
                            .isThrownBy(() -> transactions.run(() -> {
                                producer(context).submitDelayJob("listening", PARCEL, Duration.ZERO);
                                throw new IllegalStateException("rolls back");
                            }));
                    await().during(Duration.ofMillis(200))
                            .until(() -> context.getBean(DelayJobAdmin.class)
                                            .counts(queue)
                                            .ready()
                                    == 0);
                });
    }
}

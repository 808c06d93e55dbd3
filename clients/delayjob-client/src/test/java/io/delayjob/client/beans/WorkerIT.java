package io.delayjob.client.beans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.AckMode;
import io.delayjob.Acknowledgment;
import io.delayjob.DelayJob;
import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobName;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobQueue;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.NonRetryableException;
import io.delayjob.RateLimitedException;
import io.delayjob.client.TestServer;
import io.delayjob.spi.JobInterceptor;
import io.delayjob.testing.RealRedis;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.client.ReactorResourceFactory;

/** An application without Redis whose beans and listeners run the jobs that it claims from a real server. */
@RealRedis
class WorkerIT {

    private static final String QUEUE = "shop";

    private static TestServer server;
    private static ConfigurableApplicationContext worker;

    record Mail(String to) {}

    /** The attempts that ran, a text each. */
    static final class Ran extends ConcurrentLinkedQueue<String> {}

    @DelayJobName("mail")
    @DelayJobQueue(QUEUE)
    static final class MailJob implements DelayJob<Mail> {

        private final Ran ran;

        MailJob(Ran ran) {
            this.ran = ran;
        }

        @Override
        public void execute(JobExecution<Mail> execution) {
            ran.add(execution.id() + " to " + execution.param().to() + " attempt " + execution.attempt() + " of "
                    + execution.maxAttempts() + " logged " + MDC.get("delayjob.id"));
            execution.extendLease(Duration.ofMillis(1));
            execution.progress(50, "half");
            execution.result(List.of("sent", execution.param().to()));
        }
    }

    static final class Failing {

        private final Ran ran;

        Failing(Ran ran) {
            this.ran = ran;
        }

        @DelayJobListener(topic = "fails-once", queue = QUEUE)
        void failsOnce(JobExecution<String> execution) {
            ran.add("fails-once " + execution.attempt());
            if (execution.attempt() == 1) {
                throw new IllegalStateException("no such mailbox");
            }
        }

        @DelayJobListener(topic = "gives-up", queue = QUEUE, noRetryFor = IllegalStateException.class)
        void givesUp(String text) {
            throw new IllegalStateException("never " + text);
        }

        @DelayJobListener(topic = "non-retryable", queue = QUEUE)
        void nonRetryable(String text) {
            throw new NonRetryableException("wrong " + text);
        }

        @DelayJobListener(topic = "tries-it-all-the-same", queue = QUEUE, retryFor = NonRetryableException.class)
        void triesItAllTheSame(JobExecution<String> execution) {
            if (execution.attempt() == 1) {
                throw new NonRetryableException("wrong");
            }
        }

        @DelayJobListener(topic = "slow-down", queue = QUEUE)
        void slowDown(JobExecution<String> execution) {
            ran.add("slow-down attempt " + execution.attempt());
            if (ran.stream().filter(text -> text.startsWith("slow-down")).count() == 1) {
                throw new RateLimitedException(Duration.ofMillis(50));
            }
        }

        @DelayJobListener(topic = "always", queue = QUEUE, ackMode = AckMode.ALWAYS)
        void always(String text) {
            throw new IllegalStateException("never mind");
        }

        @DelayJobListener(topic = "times-out", queue = QUEUE)
        void timesOut(JobExecution<String> execution) throws InterruptedException {
            if (execution.attempt() == 1) {
                Thread.sleep(Duration.ofMinutes(10).toMillis());
            }
        }
    }

    static final class ByHand {

        private final AtomicReference<Acknowledgment> last = new AtomicReference<>();

        @DelayJobListener(topic = "by-hand", queue = QUEUE, ackMode = AckMode.MANUAL)
        void run(JobExecution<String> execution, Acknowledgment acknowledgment) {
            execution.result(execution.attempt());
            last.set(acknowledgment);
        }
    }

    @EnableAutoConfiguration
    @Import({Ran.class, MailJob.class, Failing.class, ByHand.class})
    static class Application {

        /** Its own, because an application that stops ends those that all in a JVM share, the server's too. */
        @Bean
        static ReactorResourceFactory threads() {
            ReactorResourceFactory threads = new ReactorResourceFactory();
            threads.setUseGlobalResources(false);
            threads.setShutdownQuietPeriod(Duration.ZERO);
            return threads;
        }

        @Bean
        JobInterceptor intercepts(Ran ran) {
            return new JobInterceptor() {

                @Override
                public void execute(JobExecution<?> execution, Attempt attempt) throws Exception {
                    attempt.proceed();
                    ran.add("intercepted " + execution.id());
                }
            };
        }
    }

    @BeforeAll
    static void open() {
        server = new TestServer("delayjob.retention.time=1h", "delayjob.backoff.initial=100ms");
        worker = application("delayjob.worker.enabled=true");
    }

    @AfterAll
    static void close() {
        worker.close();
        server.close();
    }

    private static ConfigurableApplicationContext application(String... properties) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.main.banner-mode=off",
                        "eureka.client.enabled=false",
                        "delayjob.enabled=false",
                        "delayjob.client.url=" + server.settings().url(),
                        "delayjob.client.token=" + server.settings().token())
                .properties(properties)
                .run();
    }

    private static void submit(DelayJobRequest<?> request) {
        var unused = worker.getBean(DelayJobProducer.class).submit(request.withQueue(QUEUE), Duration.ZERO);
    }

    private static void submit(String topic, Object param) {
        submit(DelayJobRequest.toTopic(topic, param).withId(topic));
    }

    private static JobSnapshot job(String id) {
        return server.admin().find(QUEUE, id).orElseThrow();
    }

    private static void awaitState(String id, JobState state) {
        await().untilAsserted(() -> assertThat(job(id).state()).isEqualTo(state));
    }

    private static Queue<String> ran() {
        return worker.getBean(Ran.class);
    }

    @Test
    void runsABeanWithAllThatAnAttemptHas() {
        submit(DelayJobRequest.of(MailJob.class, new Mail("you")).withId("1").withMaxAttempts(4));

        awaitState("1", JobState.COMPLETED);
        assertThat(job("1").result()).isEqualTo("[\"sent\",\"you\"]");
        assertThat(ran()).contains("1 to you attempt 1 of 4 logged 1", "intercepted 1");
    }

    @Test
    void aFailedAttemptIsFollowedByAnother() {
        submit("fails-once", "x");

        awaitState("fails-once", JobState.COMPLETED);
        assertThat(ran()).contains("fails-once 1", "fails-once 2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gives-up", "non-retryable"})
    void noAttemptFollowsWhereNoneCanHelp(String topic) {
        submit(topic, "post");

        awaitState(topic, JobState.DEAD);
        assertThat(job(topic).attempt()).isEqualTo(1);
        assertThat(job(topic).lastError()).contains("post");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tries-it-all-the-same", "always"})
    void aListenerDecidesWhichFailuresCount(String topic) {
        submit(topic, "x");

        awaitState(topic, JobState.COMPLETED);
    }

    @Test
    void aJobThatWasToldToSlowDownSpendsNoAttempt() {
        submit("slow-down", "x");

        awaitState("slow-down", JobState.COMPLETED);
        assertThat(ran()).filteredOn(text -> text.startsWith("slow-down")).containsOnly("slow-down attempt 1");
    }

    @Test
    void anAttemptThatTakesTooLongIsInterrupted() {
        submit(DelayJobRequest.toTopic("times-out", "x").withId("times-out").withTimeout(Duration.ofMillis(50)));

        awaitState("times-out", JobState.COMPLETED);
        assertThat(job("times-out").attempt()).isEqualTo(2);
    }

    @Test
    void aParamThatDoesNotBindIsDeadAtOnce() {
        submit(DelayJobRequest.toTopic("mail", List.of(1)).withId("unbound"));

        awaitState("unbound", JobState.DEAD);
        assertThat(job("unbound").lastError()).contains("does not bind to", "Mail");
    }

    @Test
    void aJobThatNobodyHereRunsNamesThoseThatAreRun() {
        submit(DelayJobRequest.toTopic("parcel", 1).withId("parcel").withMaxAttempts(1));

        awaitState("parcel", JobState.DEAD);
        assertThat(job("parcel").lastError()).contains("'parcel'", "fails-once", "mail");
    }

    @Test
    void aListenerAcknowledgesByHandAfterItHasReturned() {
        AtomicReference<Acknowledgment> last = worker.getBean(ByHand.class).last;
        submit("by-hand", "x");
        Acknowledgment first = await().until(() -> last.getAndSet(null), acknowledgment -> acknowledgment != null);
        assertThat(job("by-hand").state()).isEqualTo(JobState.RESERVED);

        first.retry(Duration.ZERO);

        Acknowledgment second = await().until(last::get, acknowledgment -> acknowledgment != null);
        second.acknowledge();
        assertThat(job("by-hand").state()).isEqualTo(JobState.COMPLETED);
        assertThat(job("by-hand").result()).isEqualTo("2");
        assertThatThrownBy(second::acknowledge).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> first.reject("late")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anApplicationThatStopsGivesItsJobsBackUnspent() {
        DelayJobRequest<String> slow = DelayJobRequest.toTopic("times-out", "x");
        try (ConfigurableApplicationContext stopping = application(
                "delayjob.worker.enabled=true", "delayjob.worker.queues=other", "delayjob.worker.grace=0s")) {
            var unused = stopping.getBean(DelayJobProducer.class)
                    .submit(slow.withQueue("other").withId("slow"), Instant.EPOCH);
            await().until(() ->
                    server.admin().find("other", "slow").orElseThrow().state() == JobState.RESERVED);
        }
        JobSnapshot job = server.admin().find("other", "slow").orElseThrow();
        assertThat(job.state()).isEqualTo(JobState.READY);
        assertThat(job.attempt()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"delayjob.worker.concurrency=0", "delayjob.worker.queues=a%", "delayjob.worker.name=ä"})
    void saysAtTheStartWhichPropertyIsWrong(String property) {
        assertThatThrownBy(() ->
                        application("delayjob.worker.enabled=true", property).close())
                .hasStackTraceContaining("InvalidConfigurationException: delayjob.worker");
    }
}

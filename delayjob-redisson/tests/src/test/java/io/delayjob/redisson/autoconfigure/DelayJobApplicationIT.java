package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.testing.OwnRedis;
import io.delayjob.testing.RealRedis;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;

/** Whole Boot applications: their start, their log and their end. */
@RealRedis
@ExtendWith(OutputCaptureExtension.class)
class DelayJobApplicationIT {

    private final String queue = TestApplication.queue();

    /** Keeps parcels, with the time each came. */
    static class TimedJob implements DelayJob<Parcel> {

        private final Inbox inbox;

        TimedJob(Inbox inbox) {
            this.inbox = inbox;
        }

        @Override
        public void execute(JobExecution<Parcel> execution) {
            Instant now = Instant.now();
            inbox.add(execution.param());
            inbox.add(Duration.between(execution.dueAt(), now).isNegative() ? "early" : "in time");
        }
    }

    /** An application with one job. */
    @Configuration(proxyBeanMethods = false)
    static class App {

        @Bean
        TimedJob timedJob(Inbox inbox) {
            return new TimedJob(inbox);
        }
    }

    @Test
    void runsAJobAtItsTime() {
        try (ConfigurableApplicationContext app = TestApplication.start(App.class, queue)) {
            Instant before = Instant.now();
            submit(app, "timed", Duration.ofMillis(400));
            app.getBean(Inbox.class).awaitExactly(new Parcel("timed", 1), "in time");
            assertThat(Duration.between(before, Instant.now())).isGreaterThanOrEqualTo(Duration.ofMillis(400));
        }
    }

    @Test
    void runsJobsOfAnApplicationThatMakesItsBeansLate() {
        try (ConfigurableApplicationContext app =
                TestApplication.start(App.class, queue, "spring.main.lazy-initialization=true")) {
            submit(app, "lazy", Duration.ZERO);
            app.getBean(Inbox.class).awaitExactly(new Parcel("lazy", 1), "in time");
        }
    }

    @Test
    void keepsTheErrorThatTheDelayedQueueIsDeprecatedOutOfTheLog(CapturedOutput output) {
        try (ConfigurableApplicationContext app =
                TestApplication.start(App.class, queue, "logging.level.org.redisson=INFO")) {
            // The holder makes its delayed queue at its first step; the ring of a job that is due soon goes through it.
            submit(app, "rung", Duration.ofMillis(1500));
            app.getBean(Inbox.class).awaitExactly(new Parcel("rung", 1), "in time");
            LoggerFactory.getLogger("org.redisson.Redisson").error("after the step the logger speaks again");
        }
        assertThat(output).contains("runs jobs of queues [" + queue + "]", "after the step the logger speaks again");
        assertThat(output.toString().lines())
                .noneMatch(line -> line.contains("deprecated"))
                .filteredOn(line -> line.contains(" ERROR "))
                .allMatch(line -> line.contains("after the step"));
    }

    /** A job that ends when it is told to. */
    static class SlowJob implements DelayJob<Parcel> {

        private final CountDownLatch started = new CountDownLatch(1);
        private final CountDownLatch closing = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final Inbox inbox;

        SlowJob(Inbox inbox) {
            this.inbox = inbox;
        }

        @Override
        public void execute(JobExecution<Parcel> execution) throws InterruptedException {
            started.countDown();
            inbox.add(mayEnd.await(2, TimeUnit.MINUTES) ? "ended" : "was not let end");
        }

        @EventListener(ContextClosedEvent.class)
        void closing() {
            closing.countDown();
        }
    }

    /** An application with a slow job. */
    @Configuration(proxyBeanMethods = false)
    static class SlowApp {

        @Bean
        SlowJob slowJob(Inbox inbox) {
            return new SlowJob(inbox);
        }
    }

    @Test
    void letsARunningJobFinishWhenItIsClosed() throws Exception {
        try (ConfigurableApplicationContext app = TestApplication.start(SlowApp.class, queue);
                ConfigurableApplicationContext other =
                        TestApplication.start(SlowApp.class, queue, "delayjob.consume=false")) {
            SlowJob job = app.getBean(SlowJob.class);
            Inbox inbox = app.getBean(Inbox.class);
            String id = app.getBean(DelayJobProducer.class)
                    .submitDelayJob(SlowJob.class, new Parcel("slow", 1), Duration.ZERO);
            assertThat(job.started.await(2, TimeUnit.MINUTES)).isTrue();
            CompletableFuture<Void> close = CompletableFuture.runAsync(app::close);
            assertThat(job.closing.await(2, TimeUnit.MINUTES)).isTrue();
            assertThat(close).isNotDone();
            job.mayEnd.countDown();
            close.get(2, TimeUnit.MINUTES);
            assertThat(inbox.seen()).containsExactly("ended");
            assertThat(other.getBean(DelayJobAdmin.class).find(queue, id)).isEmpty();
        }
    }

    @Test
    void givesARunningJobBackWhenTheShutdownTimeoutEnds() throws Exception {
        try (ConfigurableApplicationContext other =
                TestApplication.start(SlowApp.class, queue, "delayjob.consume=false")) {
            String id;
            try (ConfigurableApplicationContext app =
                    TestApplication.start(SlowApp.class, queue, "delayjob.shutdown-timeout=200ms")) {
                id = app.getBean(DelayJobProducer.class)
                        .submitDelayJob(SlowJob.class, new Parcel("slow", 1), Duration.ZERO);
                assertThat(app.getBean(SlowJob.class).started.await(2, TimeUnit.MINUTES))
                        .isTrue();
            }
            DelayJobAdmin admin = other.getBean(DelayJobAdmin.class);
            assertThat(admin.find(queue, id))
                    .hasValueSatisfying(job -> assertThat(job.attempt()).isZero());
            assertThat(admin.counts(queue).ready()).isEqualTo(1);
        }
    }

    @Test
    void failsTheStartWithoutRedisAndSaysWhatToSet(CapturedOutput output) {
        Throwable failure = catchThrowable(() -> TestApplication.start(
                App.class, new String[] {"spring.data.redis.host=127.0.0.1", "spring.data.redis.port=1"}));
        assertThat(failure).isNotNull();
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .containsPattern("Redis could not be reached: .*127\\.0\\.0\\.1:\\d+")
                .contains("spring.data.redis.host and spring.data.redis.port")
                .contains("set delayjob.fail-fast=false");
    }

    @Test
    void startsWithoutRedisIfAskedToAndRunsJobsOnceItIsThere() {
        try (OwnRedis redis = OwnRedis.start()) {
            redis.stop();
            try (ConfigurableApplicationContext app = TestApplication.start(App.class, new String[] {
                "delayjob.fail-fast=false",
                "delayjob.submit-timeout=60s",
                "spring.data.redis.host=127.0.0.1",
                "spring.data.redis.port=" + redis.port()
            })) {
                CompletableFuture<String> submitted = app.getBean(DelayJobProducer.class)
                        .submitDelayJobAsync(
                                DelayJobRequest.of(TimedJob.class, new Parcel("patient", 1)), Duration.ZERO);
                assertThat(submitted).isNotDone();
                redis.restart();
                await().untilAsserted(() -> assertThat(submitted).isCompleted());
                await().until(() -> app.getBean(Inbox.class).seen().contains(new Parcel("patient", 1)));
            }
        }
    }

    @Test
    void closesSoonWithoutRedis() {
        OwnRedis redis = OwnRedis.start();
        try (ConfigurableApplicationContext app = TestApplication.start(
                App.class,
                new String[] {"spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port()})) {
            redis.close();
            CompletableFuture<Void> close = CompletableFuture.runAsync(app::close);
            assertThat(close).succeedsWithin(Duration.ofMinutes(2));
        }
    }

    /** A job that cannot be read back. */
    @Configuration(proxyBeanMethods = false)
    static class LambdaApp {

        @Bean
        DelayJob<Parcel> lambdaJob() {
            return execution -> {};
        }
    }

    @Test
    void showsABadBeanAsBootShowsItsOwnErrors(CapturedOutput output) {
        assertThat(catchThrowable(() -> TestApplication.start(LambdaApp.class, queue)))
                .isNotNull();
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("delayjob cannot start: DelayJob bean 'lambdaJob'")
                .doesNotContain("\tat io.delayjob");
    }

    @Test
    void showsABadPropertyAsBootShowsItsOwnErrors(CapturedOutput output) {
        assertThat(catchThrowable(() -> TestApplication.start(App.class, queue, "delayjob.lease=10ms")))
                .isNotNull();
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("delayjob cannot start: delayjob.lease must be at least PT1S: PT0.01S");
    }

    private static void submit(ConfigurableApplicationContext app, String text, Duration delay) {
        app.getBean(DelayJobProducer.class).submitDelayJob(TimedJob.class, new Parcel(text, 1), delay);
    }
}

package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobClaims;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobClaim;
import io.delayjob.JobExecution;
import io.delayjob.JobSettlement;
import io.delayjob.NonRetryableException;
import io.delayjob.testing.OwnRedis;
import io.delayjob.testing.RealRedis;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The meters of an application that has a registry of Prometheus. */
@RealRedis
class DelayJobMetricsIT {

    private static final Duration SOON = Duration.ofMinutes(2);

    private final String queue = TestApplication.queue();

    /** Does what its parcel says. */
    static class ParcelWork implements DelayJob<Parcel> {

        @Override
        public void execute(JobExecution<Parcel> execution) {
            switch (execution.param().text()) {
                case "flaky" -> failFirst(execution);
                case "hopeless" -> throw new NonRetryableException("hopeless");
                default -> {}
            }
        }

        private static void failFirst(JobExecution<Parcel> execution) {
            if (execution.attempt() == 1) {
                throw new IllegalStateException("again");
            }
        }
    }

    /** An application with one job. */
    @Configuration(proxyBeanMethods = false)
    static class App {

        @Bean
        ParcelWork parcelWork() {
            return new ParcelWork();
        }
    }

    private ConfigurableApplicationContext start(String... properties) {
        return TestApplication.start(App.class, queue, properties);
    }

    private static void submit(ConfigurableApplicationContext app, String text, Duration delay) {
        app.getBean(DelayJobProducer.class).submitDelayJob(request(text), delay);
    }

    private static DelayJobRequest<Parcel> request(String text) {
        return DelayJobRequest.of(ParcelWork.class, new Parcel(text, 1));
    }

    private static String scrape(ConfigurableApplicationContext app) {
        return app.getBean(PrometheusMeterRegistry.class).scrape();
    }

    private String sample(String name, String tags, String value) {
        return name + "{" + tags.replace("$queue", "queue=\"" + queue + "\"") + "} " + value;
    }

    private static String job() {
        return "job_name=\"" + ParcelWork.class.getName() + "\"";
    }

    @Test
    void countsAndTimesWhatANodeDoes() {
        try (ConfigurableApplicationContext app = start("delayjob.backoff.initial=10ms")) {
            // Before there are jobs: one that a slow machine is late with would count.
            assertThat(scrape(app)).contains(sample("delayjob_doorbells_late_total", "$queue", "0.0"));
            List.of("fine", "flaky", "hopeless").forEach(text -> submit(app, text, Duration.ZERO));
            String tags = job() + ",outcome=\"%s\",$queue";
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(scrape(app))
                            .contains(
                                    sample("delayjob_execution_seconds_count", tags.formatted("completed"), "2"),
                                    sample("delayjob_execution_seconds_count", tags.formatted("retried"), "1"),
                                    sample("delayjob_execution_seconds_count", tags.formatted("dead"), "1"),
                                    sample("delayjob_retries_total", job() + ",$queue", "1.0"),
                                    sample("delayjob_buried_total", job() + ",$queue", "1.0"),
                                    sample("delayjob_leases_lost_total", job() + ",$queue", "0.0"),
                                    sample("delayjob_settlements_stale_total", job() + ",$queue", "0.0"),
                                    sample("delayjob_leases_expired_total", "$queue", "0.0"),
                                    sample("delayjob_data_replaced_total", "$queue", "0.0"),
                                    sample("delayjob_submit_seconds_count", "outcome=\"stored\",$queue", "3"),
                                    sample("delayjob_lateness_seconds_count", "$queue", "4"),
                                    sample("delayjob_lateness_seconds_bucket", "$queue,le=\"300.0\"", "4"),
                                    sample("delayjob_claim_size_jobs_sum", "$queue", "4.0")));
            assertThat(scrape(app)).contains("delayjob_claim_seconds_count{");
        }
    }

    @Test
    void countsAndTimesTheAttemptsOfWorkersElsewhere() throws InterruptedException {
        String elsewhere = TestApplication.queue();
        try (ConfigurableApplicationContext app = start("delayjob.queues." + elsewhere + ".max-attempts=2")) {
            DelayJobClaims claims = app.getBean(DelayJobClaims.class);
            app.getBean(DelayJobProducer.class)
                    .submitDelayJob(
                            DelayJobRequest.toTopic("resize", new Parcel("a", 1))
                                    .withQueue(elsewhere),
                            Duration.ZERO);
            JobClaim claim =
                    JobClaim.of(elsewhere).withMaxWait(JobClaim.MAX_WAIT).withLease(Duration.ofMinutes(5));
            claims.settle(
                    List.of(new JobSettlement.Retry(claims.claim(claim).get(0).handle(), Duration.ZERO, "busy")));
            String handle = claims.claim(claim).get(0).handle();
            claims.settle(List.of(new JobSettlement.Complete(handle, null)));
            claims.settle(List.of(new JobSettlement.Bury(handle, "too late")));
            String tags = "job_name=\"(other)\",outcome=\"%s\",queue=\"" + elsewhere + "\"";
            String queueAlone = "queue=\"" + elsewhere + "\"";
            assertThat(scrape(app))
                    .contains(
                            sample("delayjob_execution_seconds_count", tags.formatted("retried"), "1"),
                            sample("delayjob_execution_seconds_count", tags.formatted("completed"), "1"),
                            sample("delayjob_execution_seconds_count", tags.formatted("dead"), "1"),
                            sample("delayjob_retries_total", "job_name=\"(other)\"," + queueAlone, "1.0"),
                            sample("delayjob_buried_total", "job_name=\"(other)\"," + queueAlone, "0.0"),
                            sample("delayjob_settlements_stale_total", "job_name=\"(other)\"," + queueAlone, "1.0"),
                            sample("delayjob_lateness_seconds_count", queueAlone, "2"));
        }
    }

    @Test
    void gaugesTheJobsOfItsQueuesAndItsWorkers() {
        try (ConfigurableApplicationContext app = start("delayjob.concurrency=3")) {
            DelayJobAdmin admin = app.getBean(DelayJobAdmin.class);
            submit(app, "hopeless", Duration.ZERO);
            await().atMost(SOON).until(() -> admin.counts(queue).dead() == 1);
            admin.pause(queue);
            submit(app, "ready", Duration.ZERO);
            submit(app, "delayed", Duration.ofHours(1));
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(scrape(app))
                            .contains(
                                    sample("delayjob_jobs", "$queue,state=\"delayed\"", "1.0"),
                                    sample("delayjob_jobs", "$queue,state=\"ready\"", "1.0"),
                                    sample("delayjob_jobs", "$queue,state=\"reserved\"", "0.0"),
                                    sample("delayjob_jobs", "$queue,state=\"dead\"", "1.0"),
                                    sample("delayjob_paused", "$queue", "1.0"),
                                    sample("delayjob_workers", "$queue", "3.0"),
                                    sample("delayjob_workers_free", "$queue", "3.0"),
                                    sample("delayjob_doorbells_held", "$queue", "1.0")));
            await().atMost(SOON)
                    .until(() -> app.getBean(MeterRegistry.class)
                                    .get("delayjob.overdue")
                                    .tag("queue", queue)
                                    .timeGauge()
                                    .value()
                            > 1);
        }
    }

    @Tag("proof")
    @Test
    void whatIsNotKnownWhileRedisIsAwayIsNoNumber() {
        try (OwnRedis redis = OwnRedis.start();
                ConfigurableApplicationContext app = TestApplication.start(
                        App.class,
                        new String[] {"spring.data.redis.url=" + redis.url(), "delayjob.default-queue=" + queue})) {
            await().atMost(SOON).until(() -> scrape(app).contains(sample("delayjob_paused", "$queue", "0.0")));
            redis.pause();
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(scrape(app))
                            .contains(sample("delayjob_paused", "$queue", "NaN"))
                            .contains(sample("delayjob_jobs", "$queue,state=\"ready\"", "NaN")));
            redis.resume();
        }
    }

    @Test
    void namesFromElsewhereCountAsOne() {
        try (ConfigurableApplicationContext app = start()) {
            DelayJobProducer producer = app.getBean(DelayJobProducer.class);
            for (int i = 0; i < 3; i++) {
                producer.submitDelayJob(request("x").withQueue(queue + "-" + i), Duration.ofHours(1));
            }
            assertThat(scrape(app))
                    .contains(sample("delayjob_submit_seconds_count", "outcome=\"stored\",queue=\"(other)\"", "3"))
                    .doesNotContain(queue + "-0");
        }
    }

    @Test
    void aNodeThatOnlySubmitsGaugesNothing() {
        try (ConfigurableApplicationContext app = start("delayjob.consume=false")) {
            submit(app, "theirs", Duration.ofHours(1));
            assertThat(scrape(app))
                    .contains(sample("delayjob_submit_seconds_count", "outcome=\"stored\",$queue", "1"))
                    .doesNotContain("delayjob_jobs{", "delayjob_workers{");
        }
    }

    @Test
    void bucketsAreBootsToChange() {
        try (ConfigurableApplicationContext app = start("management.metrics.distribution.slo.delayjob.lateness=42s")) {
            submit(app, "fine", Duration.ZERO);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(scrape(app))
                            .contains(sample("delayjob_lateness_seconds_bucket", "$queue,le=\"42.0\"", "1"))
                            .doesNotContain(sample("delayjob_lateness_seconds_bucket", "$queue,le=\"300.0\"", "1")));
        }
    }
}

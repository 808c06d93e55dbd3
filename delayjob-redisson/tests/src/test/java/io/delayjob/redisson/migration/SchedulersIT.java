package io.delayjob.redisson.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobSchedules;
import io.delayjob.Schedule;
import io.delayjob.ScheduleBackfill;
import io.delayjob.redisson.autoconfigure.DelayJobRedisAutoConfiguration;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.testing.OwnRedis;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The guide from other schedulers, followed: what was declared, put and made up for runs with its instant and its param. */
class SchedulersIT {

    private static final Duration SOON = Duration.ofMinutes(2);

    private final OwnRedis redis = OwnRedis.start();
    private final Queue<Object> made = new ConcurrentLinkedQueue<>();

    private final Reports reports = new Reports() {
        @Override
        public void make() {
            made.add("scheduled");
        }

        @Override
        public void make(Instant of) {
            made.add(of);
        }

        @Override
        public void make(String customerId) {
            made.add(customerId);
        }
    };

    @AfterEach
    void stop() {
        redis.close();
    }

    @Test
    void whatWasMovedRuns() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        JacksonAutoConfiguration.class,
                        DelayJobRedisAutoConfiguration.class,
                        DelayJobAutoConfiguration.class))
                .withBean(Reports.class, () -> reports)
                .withBean(RecurringReports.class)
                .withBean(CustomerReports.class)
                .withPropertyValues("spring.data.redis.url=" + redis.url())
                .run(context -> {
                    DelayJobSchedules schedules = context.getBean(DelayJobSchedules.class);
                    await().atMost(SOON)
                            .until(() -> schedules.find("nightly-report").isPresent());
                    assertThat(schedules.find("nightly-report").orElseThrow().nextAt())
                            .isNotNull();
                    Instant missed = Instant.parse("2024-03-31T01:00:00Z");
                    ScheduleBackfill lastNight = schedules
                            .backfill("nightly-report", missed, missed.plusSeconds(1), 10, false)
                            .orElseThrow();
                    assertThat(lastNight.stored()).isEqualTo(1);

                    context.getBean(CustomerReports.class).subscribe("42", "* * * * * *", "UTC");
                    assertThat(schedules
                                    .find("report-42")
                                    .orElseThrow()
                                    .schedule()
                                    .overlap())
                            .isEqualTo(Schedule.Overlap.BUFFER_ONE);

                    await().atMost(SOON).untilAsserted(() -> assertThat(made).contains(missed, "42"));
                });
    }
}

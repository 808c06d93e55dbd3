package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.Backoff;
import io.delayjob.Dedupe;
import io.delayjob.DelayJobException;
import io.delayjob.DelayJobSchedules;
import io.delayjob.JobOptions;
import io.delayjob.Schedule;
import io.delayjob.ScheduleBackfill;
import io.delayjob.ScheduleExplanation;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.ScheduleTiming;
import io.delayjob.testing.RealRedis;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Schedules of a real server, by the client. */
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpSchedulesIT {

    private TestServer server;
    private DelayJobSchedules schedules;

    @BeforeAll
    void start() {
        server = new TestServer();
        schedules = new HttpDelayJobSchedules(server.settings());
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private static Schedule hourly(String name) {
        return Schedule.every(name, "tick", Duration.ofHours(1)).withQueue("ticks");
    }

    @Test
    void allOfADefinitionComesBack() throws ReflectiveOperationException {
        Schedule schedule = new Schedule(
                "every/thing at once",
                "ticks",
                "tick",
                Map.of("of", "all"),
                new ScheduleTiming(
                        "0 30 2 * * MON",
                        null,
                        ZoneId.of("Europe/Berlin"),
                        ScheduleTiming.Gap.SKIP,
                        ScheduleTiming.Repeated.BOTH,
                        Duration.ofSeconds(7)),
                Schedule.Overlap.BUFFER_ALL,
                Schedule.CatchUp.ALL,
                Duration.ofHours(3),
                4,
                2,
                JobOptions.NONE
                        .withMaxAttempts(3)
                        .withBackoff(Backoff.fixed(Duration.ofSeconds(9)))
                        .withLease(Duration.ofSeconds(40))
                        .withTimeout(Duration.ofSeconds(20))
                        .withTimeToLive(Duration.ofHours(2))
                        .withPriority(7)
                        .withTags(List.of("a", "b")),
                Map.of("shop", "7"));
        Schedule usual = hourly("usual");
        for (RecordComponent field : Schedule.class.getRecordComponents()) {
            assertThat(field.getAccessor().invoke(schedule))
                    .as("a new field needs a value of its own in this test: %s", field.getName())
                    .satisfies(value -> {
                        if (!Set.of("queue", "topic").contains(field.getName())) {
                            assertThat(value).isNotEqualTo(field.getAccessor().invoke(usual));
                        }
                    });
        }

        ScheduleSnapshot stored = schedules.put(schedule);

        assertThat(stored.schedule()).isEqualTo(schedule);
        assertThat(stored)
                .isEqualTo(server.bean(DelayJobSchedules.class)
                        .find(schedule.name())
                        .orElseThrow());
        assertThat(schedules.find(schedule.name())).contains(stored);
        assertThat(schedules.list()).contains(stored);
        assertThat(schedules.count()).isPositive();
        assertThat(schedules.queueOf(schedule.name())).contains("ticks");
    }

    @Test
    void actsOnASchedule() {
        schedules.put(hourly("acted"));
        assertThat(schedules.pause("acted")).isTrue();
        assertThat(schedules.find("acted").orElseThrow().paused()).isTrue();
        assertThat(schedules.explain("acted").reason()).isEqualTo(ScheduleExplanation.Reason.PAUSED);
        assertThat(schedules.resume("acted")).isTrue();
        String id = schedules.trigger("acted").orElseThrow().id();
        assertThat(server.admin().find("ticks", id)).isPresent();
        Instant day = Instant.parse("2024-01-01T00:00:00Z");
        ScheduleBackfill counted = schedules
                .backfill("acted", day, day.plus(Duration.ofDays(1)), 10, true)
                .orElseThrow();
        assertThat(counted.instants()).isEqualTo(24);
        assertThat(counted.stored()).isZero();
        assertThat(schedules
                        .backfill("acted", day, day.plus(Duration.ofDays(1)), 10, false)
                        .orElseThrow()
                        .stored())
                .isEqualTo(24);
        assertThat(schedules.remove("acted")).isTrue();
        assertThat(schedules.remove("acted")).isFalse();
    }

    @Test
    void aScheduleThatIsNotThereIsNoError() {
        assertThat(schedules.find("none")).isEmpty();
        assertThat(schedules.pause("none")).isFalse();
        assertThat(schedules.resume("none")).isFalse();
        assertThat(schedules.trigger("none")).isEmpty();
        assertThat(schedules.backfill("none", Instant.EPOCH, Instant.now(), 1, true))
                .isEmpty();
        assertThat(schedules.explain("none").reason()).isEqualTo(ScheduleExplanation.Reason.NO_SUCH_SCHEDULE);
    }

    @Test
    void aScheduleWithoutAQueueGetsThatOfTheSettings() {
        Schedule anywhere = Schedule.every("anywhere", "tick", Duration.ofHours(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schedules.put(anywhere))
                .withMessageContaining("delayjob.client.queue");
        DelayJobSchedules usual = new HttpDelayJobSchedules(server.settings().withQueue("usual"));
        assertThat(usual.put(anywhere).schedule().queue()).isEqualTo("usual");
    }

    @Test
    void saysWhatTheServerRefuses() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schedules.put(
                        hourly("deduped").withOptions(JobOptions.NONE.withDedupe(Dedupe.untilStarted("k")))))
                .withMessageContaining("dedupe key 'k'");
        schedules.put(hourly("refused"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schedules.backfill("refused", Instant.EPOCH, Instant.EPOCH, 1, true))
                .withMessageContaining("from must be before to");
        HttpDelayJobSchedules stranger = new HttpDelayJobSchedules(
                HttpDelayJobSettings.of(server.settings().uri("").toString().replace("/api/v1", ""), "djt_wrong"));
        assertThatExceptionOfType(DelayJobException.class)
                .isThrownBy(() -> stranger.find("refused"))
                .withMessageContaining("delayjob.client.token");
    }
}

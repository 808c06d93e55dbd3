package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobSchedules;
import io.delayjob.JobExecution;
import io.delayjob.RecurringDelayJob;
import io.delayjob.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** Recurring jobs that beans and listeners declare, on the virtual clock. */
@DelayJobTest(
        classes = {RecurringJobsTest.Reports.class, RecurringJobsTest.Sweep.class},
        properties = {"night = 0 0 3 * * *", "sweeps = false"})
class RecurringJobsTest {

    private static final List<Instant> REPORTS = new ArrayList<>();

    static class Reports {
        @DelayJobListener(topic = "report", queue = "reports")
        @RecurringDelayJob(
                name = "nightly-report",
                cron = "${night}",
                zone = "Europe/Berlin",
                window = "2h",
                revision = 7)
        void report(JobExecution<Void> execution) {
            REPORTS.add(execution.scheduledFor().orElseThrow());
        }
    }

    @RecurringDelayJob(every = "1m", enabled = "${sweeps}")
    static class Sweep implements DelayJob<Void> {
        @Override
        public void execute(JobExecution<Void> execution) {
            throw new AssertionError("not enabled");
        }
    }

    @Autowired
    private DelayJobSchedules schedules;

    @Autowired
    private VirtualClock clock;

    @Autowired
    private SubmittedJobs jobs;

    @BeforeEach
    void forget() {
        REPORTS.clear();
    }

    @Test
    void aYearOfANightlyJobFollowsTheClocksOfItsZone() {
        clock.startAt(Instant.parse("2030-01-01T00:00:00Z"));
        clock.advance(Duration.ofDays(365));
        jobs.assertNoneFailed();
        assertThat(REPORTS)
                .hasSize(365)
                .doesNotHaveDuplicates()
                .allMatch(instant -> instant.atZone(ZoneId.of("Europe/Berlin")).getHour() == 3);
    }

    @Test
    void theDeclaredScheduleIsStored() {
        assertThat(schedules.list()).hasSize(1);
        Schedule stored = schedules.find("nightly-report").orElseThrow().schedule();
        assertThat(stored)
                .isEqualTo(Schedule.cron("nightly-report", "report", "0 0 3 * * *")
                        .withZone("Europe/Berlin")
                        .withQueue("reports")
                        .withWindow(Duration.ofHours(2))
                        .withRevision(7));
    }

    @Test
    void aDrainFiresNoSchedule() {
        schedules.trigger("nightly-report");
        clock.drain();
        assertThat(REPORTS).hasSize(1);
    }
}

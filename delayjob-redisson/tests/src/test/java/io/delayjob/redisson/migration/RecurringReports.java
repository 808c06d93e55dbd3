package io.delayjob.redisson.migration;

import io.delayjob.DelayJobListener;
import io.delayjob.JobExecution;
import io.delayjob.RecurringDelayJob;

class RecurringReports {

    private final Reports reports;

    RecurringReports(Reports reports) {
        this.reports = reports;
    }

    @DelayJobListener(topic = "report")
    @RecurringDelayJob(name = "nightly-report", cron = "0 0 3 * * *", zone = "Europe/Berlin")
    void nightly(JobExecution<Void> execution) {
        reports.make(execution.scheduledFor().orElseThrow());
    }
}

package io.delayjob.redisson.migration;

import org.springframework.scheduling.annotation.Scheduled;

class ScheduledReports {

    private final Reports reports;

    ScheduledReports(Reports reports) {
        this.reports = reports;
    }

    @Scheduled(cron = "0 0 3 * * *", zone = "Europe/Berlin")
    void nightly() {
        reports.make();
    }
}

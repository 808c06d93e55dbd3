package io.delayjob.redisson.migration;

import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobSchedules;
import io.delayjob.JobOptions;
import io.delayjob.Schedule;

class CustomerReports {

    record Customer(String id) {}

    private final DelayJobSchedules schedules;
    private final Reports reports;

    CustomerReports(DelayJobSchedules schedules, Reports reports) {
        this.schedules = schedules;
        this.reports = reports;
    }

    void subscribe(String customerId, String cron, String zone) {
        schedules.put(Schedule.cron("report-" + customerId, "customer-report", cron)
                .withZone(zone)
                .withParam(new Customer(customerId))
                .withOverlap(Schedule.Overlap.BUFFER_ONE)
                .withCatchUp(Schedule.CatchUp.LAST)
                .withOptions(JobOptions.NONE.withMaxAttempts(5)));
    }

    @DelayJobListener(topic = "customer-report")
    void make(Customer customer) {
        reports.make(customer.id());
    }
}

package io.delayjob.demo.order;

import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobSchedules;
import io.delayjob.JobExecution;
import io.delayjob.RecurringDelayJob;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.SubmitResult;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** A job that recurs: counts the orders, once for each instant, on some node. */
@Component
public class OrderSummaries {

    private static final Logger log = LoggerFactory.getLogger(OrderSummaries.class);

    private static final String NAME = "order-summary";

    private final OrderStore store;
    private final DelayJobSchedules schedules;

    OrderSummaries(OrderStore store, DelayJobSchedules schedules) {
        this.store = store;
        this.schedules = schedules;
    }

    @DelayJobListener(topic = "order-summary")
    @RecurringDelayJob(name = NAME, every = "${demo.summary-every:30s}")
    void summarise(JobExecution<Void> execution) {
        OrderSummary summary = new OrderSummary(execution.scheduledFor().orElseThrow(), store.counts());
        store.keep(summary);
        log.info("orders at {}: {}", summary.at(), summary.orders());
    }

    /** The schedule; empty until the application has stored it, just after its start. */
    public Optional<ScheduleSnapshot> schedule() {
        return schedules.find(NAME);
    }

    /** The last summary; empty before the first. */
    public Optional<OrderSummary> last() {
        return store.lastSummary();
    }

    /** Counts now, besides the schedule; empty until the application has stored it. */
    public Optional<SubmitResult> trigger() {
        return schedules.trigger(NAME);
    }
}

package io.delayjob.demo.web;

import io.delayjob.ScheduleSnapshot;
import io.delayjob.demo.order.OrderStatus;
import io.delayjob.demo.order.OrderSummary;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The job that counts orders.
 *
 * @param nextAt when it runs next; null before the application has stored its schedule
 * @param fired how often it has fired
 * @param skipped how many instants were skipped
 * @param lastAt the instant of the last count; null before the first
 * @param orders how many orders there were then of each status
 */
record SummaryView(
        @Nullable Instant nextAt,
        long fired,
        long skipped,
        @Nullable Instant lastAt,
        Map<OrderStatus, Long> orders) {

    static SummaryView of(@Nullable ScheduleSnapshot schedule, @Nullable OrderSummary last) {
        return new SummaryView(
                schedule == null ? null : schedule.nextAt(),
                schedule == null ? 0 : schedule.fired(),
                schedule == null ? 0 : schedule.skipped(),
                last == null ? null : last.at(),
                last == null ? Map.of() : last.orders());
    }
}

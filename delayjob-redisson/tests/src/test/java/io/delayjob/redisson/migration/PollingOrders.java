package io.delayjob.redisson.migration;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.springframework.scheduling.annotation.Scheduled;

/** Before: a table that is looked through every minute. */
class PollingOrders {

    private final OrderRows rows;
    private final Orders orders;

    PollingOrders(OrderRows rows, Orders orders) {
        this.rows = rows;
        this.orders = orders;
    }

    @Scheduled(fixedDelay = 60_000)
    void closeUnpaid() {
        for (String orderId : rows.unpaidBefore(Instant.now().minus(30, ChronoUnit.MINUTES))) {
            orders.closeIfUnpaid(orderId);
        }
    }
}

package io.delayjob.redisson.migration;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.redisson.migration.OrderRows.OpenOrder;
import java.time.temporal.ChronoUnit;

/** The rows that stand in the table when polling ends. */
class OpenOrders {

    private final OrderRows rows;
    private final DelayJobProducer producer;

    OpenOrders(OrderRows rows, DelayJobProducer producer) {
        this.rows = rows;
        this.producer = producer;
    }

    void submitAll() {
        for (OpenOrder order : rows.open()) {
            producer.submit(
                    DelayJobRequest.toTopic("close-order", new CloseOrder(order.id()))
                            .withId("close-" + order.id()),
                    order.placedAt().plus(30, ChronoUnit.MINUTES));
        }
    }
}

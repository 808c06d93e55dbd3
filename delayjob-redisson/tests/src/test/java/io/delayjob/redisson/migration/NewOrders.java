package io.delayjob.redisson.migration;

import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobProducer;
import java.util.concurrent.TimeUnit;

/** After: a listener, and a submit in place of the offer. */
class NewOrders {

    private final DelayJobProducer producer;
    private final Orders orders;

    NewOrders(DelayJobProducer producer, Orders orders) {
        this.producer = producer;
        this.orders = orders;
    }

    void place(String orderId) {
        producer.submitDelayJob("close-order", new CloseOrder(orderId), 30, TimeUnit.MINUTES);
    }

    @DelayJobListener(topic = "close-order")
    void close(CloseOrder order) {
        orders.closeIfUnpaid(order.orderId());
    }
}

package io.delayjob.redisson.migration;

import io.delayjob.AckMode;
import io.delayjob.Acknowledgment;
import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobProducer;
import java.util.concurrent.TimeUnit;

class NewMessages {

    private final DelayJobProducer producer;
    private final Orders orders;

    NewMessages(DelayJobProducer producer, Orders orders) {
        this.producer = producer;
        this.orders = orders;
    }

    void place(String orderId) {
        producer.submitDelayJob("close-message", new CloseMessage(orderId), 30, TimeUnit.MINUTES);
    }

    /** It had one parameter: acknowledged when it has returned. */
    @DelayJobListener(topic = "close-message")
    void close(CloseMessage message) {
        orders.closeIfUnpaid(message.orderId());
    }

    /** It had two: it acknowledges itself. */
    @DelayJobListener(topic = "remind-message", ackMode = AckMode.MANUAL)
    void remind(CloseMessage message, Acknowledgment acknowledgment) {
        orders.closeIfUnpaid("reminded " + message.orderId());
        acknowledgment.acknowledge();
    }
}

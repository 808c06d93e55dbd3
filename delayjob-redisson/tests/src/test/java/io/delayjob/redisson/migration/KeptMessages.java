package io.delayjob.redisson.migration;

import io.delayjob.AckMode;
import io.delayjob.Acknowledgment;

class KeptMessages {

    private final Orders orders;

    KeptMessages(Orders orders) {
        this.orders = orders;
    }

    @RedisDelayMessageListener(topic = "refund-message")
    void refund(CloseMessage message) {
        orders.closeIfUnpaid("refunded " + message.orderId());
    }

    @RedisDelayMessageListener(topic = "review-message", ackMode = AckMode.MANUAL)
    void review(CloseMessage message, Acknowledgment acknowledgment) {
        orders.closeIfUnpaid("reviewed " + message.orderId());
        acknowledgment.acknowledge();
    }
}

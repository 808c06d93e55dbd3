package com.example.shop;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class Orders {

    private static final Logger log = LoggerFactory.getLogger(Orders.class);

    private final DelayJobProducer producer;
    private final DelayJobAdmin admin;

    Orders(DelayJobProducer producer, DelayJobAdmin admin) {
        this.producer = producer;
        this.admin = admin;
    }

    record CloseOrder(String orderId) {}

    /** Places an order, which is closed unless it is paid within ten seconds. */
    @PostMapping("/orders/{id}")
    String place(@PathVariable String id) {
        return producer.submitDelayJob(
                DelayJobRequest.toTopic("close-order", new CloseOrder(id)).withId("close-" + id),
                Duration.ofSeconds(10));
    }

    @DeleteMapping("/orders/{id}/closing")
    String pay(@PathVariable String id) {
        return admin.cancel("default", "close-" + id).toString();
    }

    @DelayJobListener(topic = "close-order", maxAttempts = "5")
    void close(CloseOrder order) {
        log.info("order {} was not paid and is closed", order.orderId());
    }
}

package io.delayjob.test.shop;

import io.delayjob.Backoff;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Service;

@Service
class Orders {

    private final DelayJobProducer producer;
    private final DelayJobAdmin admin;
    private final Mails mails;
    private final Clock clock;
    private final Map<String, Order> orders = new ConcurrentHashMap<>();

    Orders(DelayJobProducer producer, DelayJobAdmin admin, Mails mails, Clock clock) {
        this.producer = producer;
        this.admin = admin;
        this.mails = mails;
        this.clock = clock;
    }

    void create(String id) {
        orders.put(id, new Order(id, false, null));
        producer.submitDelayJob(
                DelayJobRequest.of(CloseOrderJob.class, new CloseOrder(id)).withId("close-" + id),
                Duration.ofMinutes(30));
    }

    void pay(String id) {
        orders.computeIfPresent(id, (key, order) -> new Order(id, true, order.closedAt()));
        admin.cancel("default", "close-" + id);
        producer.submitDelayJob(
                DelayJobRequest.toTopic("send-receipt", id)
                        .withMaxAttempts(3)
                        .withBackoff(Backoff.fixed(Duration.ofMinutes(1)))
                        .withHeader("language", "en"),
                Duration.ZERO);
    }

    void closeIfUnpaid(String id) {
        orders.computeIfPresent(id, (key, order) -> order.paid() ? order : new Order(id, false, clock.instant()));
        mails.send("order " + id + " is closed");
    }

    Order find(String id) {
        Order order = orders.get(id);
        if (order == null) {
            throw new IllegalArgumentException("no order " + id);
        }
        return order;
    }
}

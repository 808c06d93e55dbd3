package io.delayjob.demo.order;

import io.delayjob.ActionResult;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.spring.autoconfigure.DelayJobProperties;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/** Takes orders, and closes those that are not paid in time. */
@Service
public class Orders {

    private static final Logger log = LoggerFactory.getLogger(Orders.class);

    private final OrderStore store;
    private final DelayJobProducer producer;
    private final DelayJobAdmin admin;
    private final String queue;

    Orders(OrderStore store, DelayJobProducer producer, DelayJobAdmin admin, DelayJobProperties properties) {
        this.store = store;
        this.producer = producer;
        this.admin = admin;
        this.queue = properties.defaultQueue();
    }

    /**
     * Takes an order that is closed unless it is paid in time; at half of that time its customer is reminded.
     *
     * @param timeToPay how long
     * @return the order's id
     */
    public String create(Duration timeToPay) {
        String orderId = UUID.randomUUID().toString().substring(0, 8);
        store.add(orderId);
        producer.submitDelayJob(
                DelayJobRequest.of(CloseOrderJob.class, new CloseOrder(orderId)).withId(closing(orderId)), timeToPay);
        producer.submitDelayJob(
                DelayJobRequest.toTopic("payment-reminder", new PaymentReminder(orderId))
                        .withId(reminding(orderId)),
                timeToPay.dividedBy(2));
        log.info("order {} is open; it is closed in {} unless it is paid", orderId, timeToPay);
        return orderId;
    }

    /**
     * Takes the payment of an order, and calls off what was to happen if it had not come.
     *
     * @param orderId which
     * @return whether the order was open; one that is closed, or paid already, is not paid
     */
    public boolean pay(String orderId) {
        if (!store.moveOn(orderId, OrderStatus.PAID)) {
            return false;
        }
        ActionResult closing = admin.cancel(queue, closing(orderId));
        ActionResult reminding = admin.cancel(queue, reminding(orderId));
        log.info("order {} is paid; closing it: {}; reminder: {}", orderId, closing, reminding);
        producer.submitDelayJob("receipt", new Receipt(orderId), Duration.ofSeconds(1));
        return true;
    }

    /** Closes an order unless it was paid. Safe to repeat. */
    void closeIfUnpaid(String orderId) {
        boolean closed = store.moveOn(orderId, OrderStatus.CLOSED);
        log.info("order {} {}", orderId, closed ? "was not paid in time and is closed" : "needs no closing");
    }

    /**
     * The status of an order.
     *
     * @param orderId which order
     * @return its status, or empty if there is no such order
     */
    public Optional<OrderStatus> status(String orderId) {
        return store.status(orderId);
    }

    /**
     * The job that closes an order.
     *
     * @param orderId which order
     * @return the job's id, in the default queue
     */
    public static String closing(String orderId) {
        return "close-" + orderId;
    }

    private static String reminding(String orderId) {
        return "remind-" + orderId;
    }
}

package shop;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Takes orders, and says which were closed and of which customers were reminded. */
@RestController
class Orders {

    private final DelayJobProducer producer;
    private final List<Closed> closed = new CopyOnWriteArrayList<>();
    private final List<CloseOrder> reminded = new CopyOnWriteArrayList<>();

    /** An order that was closed, and the attempt that did it. */
    record Closed(CloseOrder order, int attempt) {}

    Orders(DelayJobProducer producer) {
        this.producer = producer;
    }

    @PostMapping("/orders/{id}")
    String place(@PathVariable long id, @RequestParam long millisToPay) {
        CloseOrder order = new CloseOrder(id, Instant.now());
        producer.submitDelayJob(
                DelayJobRequest.toTopic("remind", order).withQueue("shop"), millisToPay / 2, TimeUnit.MILLISECONDS);
        return producer.submitDelayJob(CloseOrderJob.class, order, millisToPay, TimeUnit.MILLISECONDS);
    }

    @GetMapping("/closed")
    List<Closed> closed() {
        return closed;
    }

    @GetMapping("/reminded")
    List<CloseOrder> reminded() {
        return reminded;
    }

    void close(CloseOrder order, int attempt) {
        closed.add(new Closed(order, attempt));
    }

    void remind(CloseOrder order) {
        reminded.add(order);
    }
}

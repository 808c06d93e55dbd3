package io.delayjob.journal.shop;

import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.SubmitResult;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Takes purchases, and thanks for them an hour later. */
@Service
public class Till {

    static final Duration LATER = Duration.ofHours(1);

    private final Purchases purchases;
    private final DelayJobProducer producer;
    private final List<String> thanked = new CopyOnWriteArrayList<>();

    Till(Purchases purchases, DelayJobProducer producer) {
        this.purchases = purchases;
        this.producer = producer;
    }

    /** Takes a purchase. */
    @Transactional
    public SubmitResult buy(String id, Duration thanksAfter) {
        purchases.save(new Purchase(id));
        return producer.submit(DelayJobRequest.toTopic("thank", id).withId(id), thanksAfter);
    }

    /** Takes a purchase, and fails. */
    @Transactional
    public void buyAndFail(String id) {
        buy(id, Duration.ZERO);
        throw new IllegalArgumentException("no stock of " + id);
    }

    /** Only looks. */
    @Transactional(readOnly = true)
    public SubmitResult look(String id) {
        return producer.submit(DelayJobRequest.toTopic("thank", id), LATER);
    }

    /** Thanks for a purchase. */
    @DelayJobListener(topic = "thank")
    @Transactional
    public void thank(String id) {
        thanked.add(purchases.findById(id).orElseThrow().id());
    }

    /** Whom it has thanked for. */
    public List<String> thanked() {
        return List.copyOf(thanked);
    }
}

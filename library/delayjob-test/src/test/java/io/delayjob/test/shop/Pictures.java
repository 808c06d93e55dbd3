package io.delayjob.test.shop;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import java.time.Duration;
import org.springframework.stereotype.Service;

/** Leaves thumbnails to workers that are no part of the application. */
@Service
class Pictures {

    private final DelayJobProducer producer;

    Pictures(DelayJobProducer producer) {
        this.producer = producer;
    }

    void upload(String file) {
        producer.submitDelayJob(
                DelayJobRequest.toTopic("thumbnail", file).withQueue("pictures"), Duration.ofSeconds(10));
    }
}

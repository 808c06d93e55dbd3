package io.delayjob.demo.delivery;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RMap;
import org.redisson.client.codec.StringCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Log of submitted and arrived jobs, kept for an hour and shared by all nodes: a job may arrive at another node than it was submitted on. */
@Component
class DeliveryLog {

    private static final Logger log = LoggerFactory.getLogger(DeliveryLog.class);
    private static final Duration KEPT = Duration.ofHours(1);
    private static final int SHOWN = 30;

    private final RMap<String, String> submitted;
    private final RMap<String, String> arrived;
    private final JsonMapper json;

    DeliveryLog(DelayJobRedis redis, JsonMapper json) {
        this.submitted = redis.redisson().getMap("demo:deliveries", StringCodec.INSTANCE);
        this.arrived = redis.redisson().getMap("demo:arrivals", StringCodec.INSTANCE);
        this.json = json;
    }

    void submitted(Delivery delivery) {
        submitted.fastPut(delivery.id(), json.writeValueAsString(delivery));
        submitted.expire(KEPT);
        log.info("job {} will leave to {} at {}", delivery.id(), delivery.target(), delivery.dueAt());
    }

    /** A job has arrived. One that arrives again, as jobs may, is known by its id. */
    void arrived(String id, Arrival arrival) {
        if (arrived.fastPutIfAbsent(id, json.writeValueAsString(arrival))) {
            arrived.expire(KEPT);
            log.info("job {} has arrived in attempt {}, signature: {}", id, arrival.attempt(), arrival.signature());
        } else {
            log.info("job {} has arrived once more", id);
        }
    }

    /** The latest, newest first. */
    List<Delivery> latest() {
        Map<String, String> arrivals = arrived.readAllMap();
        return submitted.readAllValues().stream()
                .map(text -> json.readValue(text, Delivery.class))
                .map(delivery -> delivery.withArrival(arrival(arrivals.get(delivery.id()))))
                .sorted(Comparator.comparing(Delivery::submittedAt).reversed().thenComparing(Delivery::way))
                .limit(SHOWN)
                .toList();
    }

    private @Nullable Arrival arrival(@Nullable String text) {
        return text == null ? null : json.readValue(text, Arrival.class);
    }
}

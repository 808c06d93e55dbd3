package io.delayjob.demo.order;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.redisson.api.RMap;
import org.redisson.client.codec.StringCodec;
import org.springframework.stereotype.Component;

/** The orders, in the Redis of the jobs, where every node sees them. A real shop has a database here. */
@Component
class OrderStore {

    private final RMap<String, String> orders;
    private final RMap<String, String> summary;

    OrderStore(DelayJobRedis redis) {
        this.orders = redis.redisson().getMap("demo:orders", StringCodec.INSTANCE);
        this.summary = redis.redisson().getMap("demo:summary", StringCodec.INSTANCE);
    }

    void add(String orderId) {
        orders.fastPut(orderId, OrderStatus.OPEN.name());
    }

    /** How many orders there are of each status. */
    Map<OrderStatus, Long> counts() {
        Map<OrderStatus, Long> counts = new EnumMap<>(OrderStatus.class);
        orders.readAllValues().forEach(status -> counts.merge(OrderStatus.valueOf(status), 1L, Long::sum));
        return counts;
    }

    void keep(OrderSummary last) {
        Map<String, String> fields = new HashMap<>(Map.of("at", last.at().toString()));
        for (OrderStatus status : OrderStatus.values()) {
            fields.put(status.name(), last.orders().getOrDefault(status, 0L).toString());
        }
        summary.putAll(fields);
    }

    Optional<OrderSummary> lastSummary() {
        Map<String, String> fields = new HashMap<>(summary.readAllMap());
        String at = fields.remove("at");
        if (at == null) {
            return Optional.empty();
        }
        Map<OrderStatus, Long> counts = new EnumMap<>(OrderStatus.class);
        fields.forEach((status, count) -> counts.put(OrderStatus.valueOf(status), Long.valueOf(count)));
        return Optional.of(new OrderSummary(Instant.parse(at), counts));
    }

    Optional<OrderStatus> status(String orderId) {
        return Optional.ofNullable(orders.get(orderId)).map(OrderStatus::valueOf);
    }

    /** Moves an open order on; false if it is not open any more, so that a repeated job does nothing. */
    boolean moveOn(String orderId, OrderStatus to) {
        return orders.replace(orderId, OrderStatus.OPEN.name(), to.name());
    }
}

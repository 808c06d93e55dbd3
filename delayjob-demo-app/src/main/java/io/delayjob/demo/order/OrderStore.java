package io.delayjob.demo.order;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import java.util.Optional;
import org.redisson.api.RMap;
import org.redisson.client.codec.StringCodec;
import org.springframework.stereotype.Component;

/** The orders, in the Redis of the jobs, where every node sees them. A real shop has a database here. */
@Component
class OrderStore {

    private final RMap<String, String> orders;

    OrderStore(DelayJobRedis redis) {
        this.orders = redis.redisson().getMap("demo:orders", StringCodec.INSTANCE);
    }

    void add(String orderId) {
        orders.fastPut(orderId, OrderStatus.OPEN.name());
    }

    Optional<OrderStatus> status(String orderId) {
        return Optional.ofNullable(orders.get(orderId)).map(OrderStatus::valueOf);
    }

    /** Moves an open order on; false if it is not open any more, so that a repeated job does nothing. */
    boolean moveOn(String orderId, OrderStatus to) {
        return orders.replace(orderId, OrderStatus.OPEN.name(), to.name());
    }
}

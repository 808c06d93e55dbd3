package io.delayjob.demo.order;

import java.util.Optional;
import org.redisson.api.RMap;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.springframework.stereotype.Component;

/** The orders, where every node sees them. A real shop has a database here. */
@Component
class OrderStore {

    private final RMap<String, String> orders;

    OrderStore(RedissonClient redisson) {
        this.orders = redisson.getMap("demo:orders", StringCodec.INSTANCE);
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

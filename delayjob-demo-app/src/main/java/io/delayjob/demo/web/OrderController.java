package io.delayjob.demo.web;

import io.delayjob.demo.order.OrderStatus;
import io.delayjob.demo.order.Orders;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Takes orders and their payments. */
@RestController
@RequestMapping("/api/orders")
final class OrderController {

    private static final long DEFAULT_SECONDS = 30;
    private static final long MOST_SECONDS = Duration.ofDays(365).toSeconds();

    private final Orders orders;

    OrderController(Orders orders) {
        this.orders = orders;
    }

    @PostMapping
    OrderView create(@RequestParam(required = false) @Nullable String secondsToPay) {
        long seconds =
                Parameters.number("secondsToPay", secondsToPay, MOST_SECONDS).orElse(DEFAULT_SECONDS);
        return new OrderView(orders.create(Duration.ofSeconds(seconds)), OrderStatus.OPEN);
    }

    @GetMapping("/{id}")
    OrderView show(@PathVariable String id) {
        return orders.status(id)
                .map(status -> new OrderView(id, status))
                .orElseThrow(() ->
                        Problems.of(HttpStatus.NOT_FOUND, "No such order", "there is no order '%s'".formatted(id), id));
    }

    @PostMapping("/{id}/payment")
    OrderView pay(@PathVariable String id) {
        boolean paid = orders.pay(id);
        OrderView order = show(id);
        if (!paid) {
            throw Problems.of(
                    HttpStatus.CONFLICT, "Order cannot be paid", "order '%s' is %s".formatted(id, order.status()), id);
        }
        return order;
    }
}

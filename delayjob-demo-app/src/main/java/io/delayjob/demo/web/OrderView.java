package io.delayjob.demo.web;

import io.delayjob.demo.order.OrderStatus;
import io.delayjob.demo.order.Orders;

/**
 * An order as the API shows it.
 *
 * @param id the order
 * @param status its status
 * @param closingJob the job that closes it if it is unpaid
 */
public record OrderView(String id, OrderStatus status, String closingJob) {

    OrderView(String id, OrderStatus status) {
        this(id, status, Orders.closing(id));
    }
}

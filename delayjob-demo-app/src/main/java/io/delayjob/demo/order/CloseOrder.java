package io.delayjob.demo.order;

/**
 * Close an order if it is unpaid.
 *
 * @param orderId which
 */
public record CloseOrder(String orderId) {}

package io.delayjob.demo.order;

/**
 * Send the receipt of a paid order.
 *
 * @param orderId which
 */
public record Receipt(String orderId) {}

package io.delayjob.demo.order;

/**
 * Remind a customer of an unpaid order.
 *
 * @param orderId which
 */
public record PaymentReminder(String orderId) {}

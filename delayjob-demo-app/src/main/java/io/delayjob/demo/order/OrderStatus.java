package io.delayjob.demo.order;

/** What became of an order. */
public enum OrderStatus {
    /** Waiting to be paid. */
    OPEN,
    /** Paid in time. */
    PAID,
    /** Not paid in time. */
    CLOSED
}

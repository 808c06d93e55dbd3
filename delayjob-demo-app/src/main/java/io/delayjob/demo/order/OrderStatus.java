package io.delayjob.demo.order;

/** The status of an order. */
public enum OrderStatus {
    /** Waiting to be paid. */
    OPEN,
    /** Paid in time. */
    PAID,
    /** Not paid in time. */
    CLOSED
}

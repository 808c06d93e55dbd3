package shop;

import java.time.Instant;

/** An order that is to be closed if it is unpaid. */
public record CloseOrder(long orderId, Instant placedAt) {}

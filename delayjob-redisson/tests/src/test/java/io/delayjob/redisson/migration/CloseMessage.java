package io.delayjob.redisson.migration;

/** The message of an order that is to be closed. */
record CloseMessage(String orderId) {}

package io.delayjob.redisson.migration;

record CloseOrder(String orderId) {}

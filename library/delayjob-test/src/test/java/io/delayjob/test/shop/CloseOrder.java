package io.delayjob.test.shop;

record CloseOrder(long orderId) {}

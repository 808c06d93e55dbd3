package io.delayjob.test.shop;

record CloseOrder(String orderId) {}

package io.delayjob.modulith;

import java.time.Duration;

@DelayJobExternalized(topic = "close-order", delay = "#{timeToPay()}")
record OrderPlaced(String orderId, Duration timeToPay) {}

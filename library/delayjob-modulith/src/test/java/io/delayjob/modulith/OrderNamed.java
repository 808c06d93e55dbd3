package io.delayjob.modulith;

/** An event whose job has an id of its own. */
@DelayJobExternalized(topic = "${shop.topic:close-named}", delay = "${shop.delay:1h}", id = "close-#{orderId()}")
record OrderNamed(String orderId) {}

package io.delayjob.redisson.internal.listener;

/** The payload of listeners in tests. */
record Order(long id) {}

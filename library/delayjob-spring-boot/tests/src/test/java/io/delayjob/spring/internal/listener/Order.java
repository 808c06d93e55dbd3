package io.delayjob.spring.internal.listener;

/** The payload of listeners in tests. */
record Order(long id) {}

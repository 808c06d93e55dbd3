package io.delayjob.redisson.internal.engine;

/** The param of jobs in tests. */
record Note(String text, int number) {}

package io.delayjob.redisson.autoconfigure;

/** The param of jobs in tests. */
record Parcel(String text, int number) {}

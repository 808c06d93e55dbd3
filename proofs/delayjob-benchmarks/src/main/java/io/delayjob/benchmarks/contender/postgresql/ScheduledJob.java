package io.delayjob.benchmarks.contender.postgresql;

import java.io.Serializable;

/** Data that db-scheduler stores with a job: serialized by Java, which is its default. */
record ScheduledJob(long dueMillis, String payload) implements Serializable {}

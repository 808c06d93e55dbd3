package io.delayjob.benchmarks.contender.postgresql;

import java.io.Serializable;

/** What db-scheduler stores with a job, by its default: serialized by Java. */
record ScheduledJob(long dueMillis, String payload) implements Serializable {}

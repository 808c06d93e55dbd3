package io.delayjob.benchmarks.contender.redisson;

import io.delayjob.benchmarks.contender.Job;

/** The element of a queue; its codec is Redisson's default. */
record PlainJob(String id, long dueMillis, int attempt, String payload) {

    static PlainJob first(Job job) {
        return new PlainJob(job.id(), job.dueMillis(), 1, job.payload());
    }

    PlainJob next() {
        return new PlainJob(id, dueMillis, attempt + 1, payload);
    }
}

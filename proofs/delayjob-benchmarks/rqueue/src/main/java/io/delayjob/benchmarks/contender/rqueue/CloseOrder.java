package io.delayjob.benchmarks.contender.rqueue;

import io.delayjob.benchmarks.contender.Job;

/** The message; Rqueue turns it into JSON. */
record CloseOrder(String id, long dueMillis, String payload) {

    static CloseOrder of(Job job) {
        return new CloseOrder(job.id(), job.dueMillis(), job.payload());
    }
}

package io.delayjob.journal.internal.restoring;

import io.delayjob.JobState;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.journal.internal.tables.Status;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Facts of an unfinished job on which journal and ledger must agree.
 *
 * @param state its state; DELAYED if it waits, whether or not it is due
 * @param attempt how many attempts have begun
 * @param atMillis when it is due, or when it died; null of a job that runs
 */
record Look(JobState state, int attempt, @Nullable Long atMillis) {

    /** Of a job in the ledger. */
    static Look of(StoredJob job) {
        JobState state = job.state() == JobState.READY ? JobState.DELAYED : job.state();
        return of(state, job.attempt().number(), job.atMillis());
    }

    /** Of a row. */
    static Look of(Status status) {
        return of(status.state(), status.attempt(), status.dueAt());
    }

    private static Look of(JobState state, int attempt, long atMillis) {
        return new Look(state, attempt, state == JobState.RESERVED ? null : atMillis);
    }

    @Override
    public String toString() {
        String since = state == JobState.DEAD ? ", since " : ", due ";
        return state + ", attempt " + attempt + (atMillis == null ? "" : since + Instant.ofEpochMilli(atMillis));
    }
}

package io.delayjob.journal.internal.restoring;

import io.delayjob.RestoreReport;

/** Adds up what a restore does. Not thread-safe. */
final class RestoreCounts {

    private long examined;
    private long restored;
    private long present;
    private long finished;
    private long journaled;
    private long skipped;

    void examined(long jobs) {
        examined += jobs;
    }

    void restored(long jobs) {
        restored += jobs;
    }

    void present(long jobs) {
        present += jobs;
    }

    void finished(long jobs) {
        finished += jobs;
    }

    void journaled(long jobs) {
        journaled += jobs;
    }

    void skipped(long jobs) {
        skipped += jobs;
    }

    RestoreReport report() {
        return new RestoreReport(examined, restored, present, finished, journaled, skipped);
    }
}

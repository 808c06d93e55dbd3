package io.delayjob.journal.internal.writing;

import io.delayjob.JobState;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.journal.internal.tables.Status;

/** Computes a job's status after a step. */
final class Statuses {

    private Statuses() {}

    /** Of a job that was stored, new or as it was. */
    static Status stored(Flow.Step step) {
        JobState state = step.state() == JobState.DEAD ? JobState.DEAD : JobState.DELAYED;
        long due = step.dueMillis() == null ? step.atMillis() : step.dueMillis();
        return new Status(
                true,
                state,
                step.attempt(),
                due,
                step.placeMillis(),
                false,
                null,
                null,
                step.text(),
                null,
                step.atMillis(),
                null);
    }

    /** Of a job that was there before. */
    static Status after(Status before, Flow.Step step) {
        JobState state = step.state() == null ? before.state() : step.state();
        return new Status(
                before.live() && !ends(step),
                state,
                step.state() == null ? before.attempt() : step.attempt(),
                step.dueMillis() == null ? before.dueAt() : step.dueMillis(),
                step.dueMillis() == null ? before.placeAt() : step.placeMillis(),
                false,
                null,
                step.node() == null ? before.node() : step.node(),
                isError(step.kind()) ? step.text() : before.error(),
                step.kind() == Flow.Kind.COMPLETE ? step.text() : before.result(),
                step.atMillis(),
                ends(step) ? (Long) step.atMillis() : null);
    }

    private static boolean isError(Flow.Kind kind) {
        return kind == Flow.Kind.RETRY || kind == Flow.Kind.BURY;
    }

    /** Whether the job is gone after a step. */
    static boolean ends(Flow.Step step) {
        return step.kind() == Flow.Kind.PURGE
                || step.state() == JobState.COMPLETED
                || step.state() == JobState.CANCELLED;
    }

    /** Of a job that Redis has, as it is found there. */
    static Status found(StoredJob job, long now) {
        boolean waits = job.state() == JobState.DELAYED || job.state() == JobState.READY;
        Long due = job.attempt().dueMillis();
        return new Status(
                true,
                waits ? JobState.DELAYED : job.state(),
                job.attempt().number(),
                job.state() != JobState.RESERVED || due == null ? job.atMillis() : due,
                false,
                null,
                job.node(),
                job.error(),
                null,
                now,
                null);
    }
}

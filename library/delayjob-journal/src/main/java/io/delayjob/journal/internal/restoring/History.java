package io.delayjob.journal.internal.restoring;

import io.delayjob.JobStep;
import io.delayjob.JobStep.Kind;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.journal.internal.tables.FlowRow;
import io.delayjob.journal.internal.tables.FlowTable;
import io.delayjob.support.Checks;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** The steps of a job, for its users. */
public final class History {

    private static final int MOST = 1000;

    private final FlowTable flow;

    public History(FlowTable flow) {
        this.flow = flow;
    }

    /** The last steps of an id, in order. */
    public List<JobStep> of(String queue, String id, int limit) {
        if (limit < 1 || limit > MOST) {
            throw new IllegalArgumentException("limit must be 1 to " + MOST + ": " + limit);
        }
        return flow.history(Checks.queue(queue), Checks.id(id), limit).stream()
                .map(History::step)
                .toList();
    }

    private static JobStep step(FlowRow row) {
        Long due = row.dueAt();
        return new JobStep(
                kind(row.kind()),
                Instant.ofEpochMilli(row.at()),
                row.state(),
                row.attempt(),
                due == null ? null : Instant.ofEpochMilli(due),
                row.node(),
                row.detail());
    }

    /** The kind of a row, which another release may have written. */
    private static Kind kind(String name) {
        return Arrays.stream(Flow.Kind.values())
                .filter(kind -> kind.name().equals(name))
                .map(History::kind)
                .findFirst()
                .orElse(Kind.OTHER);
    }

    private static Kind kind(Flow.Kind kind) {
        return switch (kind) {
            case SUBMIT -> Kind.SUBMITTED;
            case REFUSE -> Kind.REFUSED;
            case REPLACE -> Kind.REPLACED;
            case CLAIM -> Kind.CLAIMED;
            case EXPIRE -> Kind.EXPIRED;
            case PASS_ON -> Kind.PASSED_ON;
            case TAKE_BACK -> Kind.TAKEN_BACK;
            case COMPLETE -> Kind.COMPLETED;
            case RETRY -> Kind.RETRIED;
            case BURY -> Kind.BURIED;
            case RELEASE -> Kind.RELEASED;
            case CANCEL -> Kind.CANCELLED;
            case RESCHEDULE -> Kind.RESCHEDULED;
            case REDRIVE -> Kind.REDRIVEN;
            case PURGE -> Kind.PURGED;
            case RESTORE -> Kind.RESTORED;
            case START, SCHEDULE, LIMITS, PAUSE, OTHER -> Kind.OTHER;
        };
    }
}

package io.delayjob.engine.internal.records;

import io.delayjob.JobOptions;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.engine.ledger.StoredJob;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts a job as the ledger stores it into a {@link JobSnapshot}. */
public final class Snapshots {

    private final RecordCodec records = new RecordCodec();

    public JobSnapshot of(String queue, String id, StoredJob stored) {
        boolean ended = stored.state() == JobState.COMPLETED || stored.state() == JobState.CANCELLED;
        return snapshot(queue, id, stored, record(stored), ended);
    }

    /** Of a job that has ended, in whatever state: a dead one that was deleted is DEAD. */
    public JobSnapshot ofEnded(String queue, String id, StoredJob stored) {
        return snapshot(queue, id, stored, record(stored), true);
    }

    private @Nullable JobRecord record(StoredJob stored) {
        try {
            return records.read(stored.record());
        } catch (UnreadableRecordException e) {
            return null;
        }
    }

    private static JobSnapshot snapshot(
            String queue, String id, StoredJob stored, @Nullable JobRecord record, boolean ended) {
        Instant at = Instant.ofEpochMilli(stored.atMillis());
        JobState state = stored.state();
        boolean reserved = state == JobState.RESERVED;
        return new JobSnapshot(
                queue,
                id,
                record == null ? null : record.job(),
                state,
                stored.attempt().number(),
                dueAt(stored),
                record == null ? null : instant(record.submittedAtMillis()),
                reserved ? instant(stored.attempt().claimedMillis()) : null,
                reserved ? at : null,
                stored.node(),
                state == JobState.DEAD ? (ended ? instant(stored.attempt().dueMillis()) : at) : null,
                ended ? at : null,
                stored.error(),
                stored.progress(),
                stored.result(),
                record == null ? JobOptions.NONE : record.options(),
                record == null ? Map.of() : record.headers(),
                record == null ? String.valueOf(stored.record()) : record.param());
    }

    private static @Nullable Instant dueAt(StoredJob stored) {
        return switch (stored.state()) {
            case DELAYED, READY -> Instant.ofEpochMilli(waitsFor(stored));
            case RESERVED, COMPLETED, CANCELLED -> instant(stored.attempt().dueMillis());
            case DEAD -> null;
        };
    }

    /** Until a node with its handler takes it, a job is offered again and again, and stays due since its own due time. */
    private static long waitsFor(StoredJob stored) {
        Long due = stored.attempt().dueMillis();
        return stored.attempt().noHandlerSinceMillis() == null || due == null ? stored.atMillis() : due;
    }

    private static @Nullable Instant instant(@Nullable Long millis) {
        return millis == null ? null : Instant.ofEpochMilli(millis);
    }
}

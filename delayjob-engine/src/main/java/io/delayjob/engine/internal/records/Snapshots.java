package io.delayjob.engine.internal.records;

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
        try {
            return snapshot(queue, id, stored, records.read(stored.record()));
        } catch (UnreadableRecordException e) {
            return snapshot(queue, id, stored, null);
        }
    }

    private static JobSnapshot snapshot(String queue, String id, StoredJob stored, @Nullable JobRecord record) {
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
                state == JobState.DEAD ? at : null,
                state == JobState.COMPLETED || state == JobState.CANCELLED ? at : null,
                stored.error(),
                stored.progress(),
                stored.result(),
                record == null ? Map.of() : record.headers(),
                record == null ? String.valueOf(stored.record()) : record.param());
    }

    private static @Nullable Instant dueAt(StoredJob stored) {
        return switch (stored.state()) {
            case DELAYED, READY -> Instant.ofEpochMilli(stored.atMillis());
            case RESERVED, COMPLETED, CANCELLED -> instant(stored.attempt().dueMillis());
            case DEAD -> null;
        };
    }

    private static @Nullable Instant instant(@Nullable Long millis) {
        return millis == null ? null : Instant.ofEpochMilli(millis);
    }
}

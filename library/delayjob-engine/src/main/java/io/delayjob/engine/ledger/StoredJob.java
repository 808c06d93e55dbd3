package io.delayjob.engine.ledger;

import io.delayjob.JobState;
import io.delayjob.Progress;
import org.jspecify.annotations.Nullable;

/**
 * Everything the ledger knows about one job.
 *
 * @param state its state; COMPLETED and CANCELLED only while retained
 * @param atMillis its due time, lease expiry, time of death or of its end, by state
 * @param record the record as stored; null if it is missing
 * @param attempt its last attempt
 * @param node the node or worker that holds it, or had it when its last attempt failed; null for others
 * @param error why the last attempt failed or the job was given up
 * @param progress the progress that it last reported
 * @param result its result as JSON; null unless completed
 */
public record StoredJob(
        JobState state,
        long atMillis,
        @Nullable String record,
        Attempt attempt,
        @Nullable String node,
        @Nullable String error,
        @Nullable Progress progress,
        @Nullable String result) {}

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
 * @param attempt how many attempts have begun
 * @param dueMillis when the last attempt was due; null before the first
 * @param claimedMillis when the last attempt was handed out; null before the first
 * @param unableSinceMillis when a node first found it cannot run the job; null if none did since a node had it that could
 * @param node who holds it; null unless reserved
 * @param error why the last attempt failed or the job was given up
 * @param progress what it last reported
 * @param result what it left, as JSON; null unless completed
 */
public record StoredJob(
        JobState state,
        long atMillis,
        @Nullable String record,
        int attempt,
        @Nullable Long dueMillis,
        @Nullable Long claimedMillis,
        @Nullable Long unableSinceMillis,
        @Nullable String node,
        @Nullable String error,
        @Nullable Progress progress,
        @Nullable String result) {}

package io.delayjob.redisson.internal.ledger;

import io.delayjob.JobState;
import org.jspecify.annotations.Nullable;

/**
 * All the ledger knows of one job.
 *
 * @param state DELAYED, READY, RESERVED or DEAD
 * @param atMillis its due time, lease expiry or time of death, by state
 * @param record the record as stored; null if it is missing
 * @param attempt how many attempts have begun
 * @param dueMillis when the last attempt was due; null before the first
 * @param node who holds it; null unless reserved
 * @param error why the last attempt failed or the job was given up
 */
public record StoredJob(
        JobState state,
        long atMillis,
        @Nullable String record,
        int attempt,
        @Nullable Long dueMillis,
        @Nullable String node,
        @Nullable String error) {}

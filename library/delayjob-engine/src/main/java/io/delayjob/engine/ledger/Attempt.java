package io.delayjob.engine.ledger;

import org.jspecify.annotations.Nullable;

/**
 * The attempt at a job that began last, as the ledger keeps it.
 *
 * @param number its number, from 1; how many have begun and were not given back; 0 before the first
 * @param dueMillis when it was due, however often nodes that cannot run the job had it since; null before the first
 * @param claimedMillis when it was handed out, or when it was due if that was later; null before the first
 * @param noHandlerSinceMillis from when on no live node is known to be able to run the job; null if no node failed to, if a node
 *     that can run it had it since, or if it got a new due time
 */
public record Attempt(
        int number,
        @Nullable Long dueMillis,
        @Nullable Long claimedMillis,
        @Nullable Long noHandlerSinceMillis) {

    /** Of a job that has not been handed out. */
    public static final Attempt NONE = new Attempt(0, null, null, null);
}

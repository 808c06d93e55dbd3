package io.delayjob.redisson.internal.ledger;

import org.jspecify.annotations.Nullable;

/** How a claim of a job ends. */
public sealed interface Settlement {

    /** Whose job. */
    Lease lease();

    /**
     * The job is done.
     *
     * @param result what it leaves, as JSON; kept if the shard retains finished jobs
     * @param recordLength the characters of its record, which is copied if the shard retains finished jobs; 0 if unknown
     */
    record Complete(Lease lease, @Nullable String result, int recordLength) implements Settlement {}

    /** The attempt failed; the next one comes after the backoff. */
    record Retry(Lease lease, long backoffMillis, String error) implements Settlement {}

    /** The job is given up. */
    record Bury(Lease lease, String reason) implements Settlement {}

    /**
     * The job is given back without spending an attempt.
     *
     * @param unableMillis until it is offered again, because this node is not able to run it; null to be due as before, as one
     *     that nodes are able to run
     */
    record Release(Lease lease, @Nullable Long unableMillis) implements Settlement {}
}

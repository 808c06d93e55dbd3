package io.delayjob.engine.ledger;

import org.jspecify.annotations.Nullable;

/** How a claim of a job ends. */
public sealed interface Settlement {

    /** The lease of the job to settle. */
    Lease lease();

    /** The change of state that it makes. */
    Edge edge();

    /** The number of characters it carries besides its lease. */
    int length();

    /**
     * The job is done.
     *
     * @param result its result as JSON, or null without one; kept if the shard retains finished jobs
     * @param recordLength the characters of its record, which is copied if the shard retains finished jobs; 0 if unknown
     */
    record Complete(Lease lease, @Nullable String result, int recordLength) implements Settlement {

        @Override
        public Edge edge() {
            return Edge.COMPLETE;
        }

        @Override
        public int length() {
            return result == null ? 0 : result.length();
        }
    }

    /** The attempt failed; the next one follows after the backoff. */
    record Retry(Lease lease, long backoffMillis, String error) implements Settlement {

        @Override
        public Edge edge() {
            return Edge.RETRY;
        }

        @Override
        public int length() {
            return error.length();
        }
    }

    /**
     * The job is given up.
     *
     * @param spent whether the claim was an attempt; else the attempt that it counted is taken back
     */
    record Bury(Lease lease, String reason, boolean spent) implements Settlement {

        @Override
        public Edge edge() {
            return Edge.BURY;
        }

        @Override
        public int length() {
            return reason.length();
        }
    }

    /**
     * The job is given back without spending an attempt.
     *
     * @param noHandlerMillis until it is offered again, because this node has no handler for it or cannot read it; null to be due as
     *     before, as one that nodes can run
     * @param missingHandler the name that this node has no handler for, so that a node that has one takes the job at once; null if
     *     that is not why it is given back
     * @param leaseEndsMillis when the lease ends that the claim gave; the job is left to whoever has it if its lease ends at another time,
     *     because it was extended or handed out again, or if the claim was a repeat. Null to give it back in any case
     * @param slowMillis for how long from now no job with its key begins, or none of the shard if it has no key; null to slow nothing down
     * @param begun whether the attempt had begun; claims tell so from then on, until a redrive
     */
    record Release(
            Lease lease,
            @Nullable Long noHandlerMillis,
            @Nullable String missingHandler,
            @Nullable Long leaseEndsMillis,
            @Nullable Long slowMillis,
            boolean begun)
            implements Settlement {

        /** The job is given back before its attempt has begun, and nothing is slowed down. */
        public Release(
                Lease lease,
                @Nullable Long noHandlerMillis,
                @Nullable String missingHandler,
                @Nullable Long leaseEndsMillis) {
            this(lease, noHandlerMillis, missingHandler, leaseEndsMillis, null, false);
        }

        /** The same, whenever its lease ends. */
        public Release(Lease lease, @Nullable Long noHandlerMillis, @Nullable String missingHandler) {
            this(lease, noHandlerMillis, missingHandler, null);
        }

        @Override
        public Edge edge() {
            return Edge.RELEASE;
        }

        @Override
        public int length() {
            return 0;
        }
    }
}

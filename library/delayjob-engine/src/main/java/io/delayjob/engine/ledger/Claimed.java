package io.delayjob.engine.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a claim.
 *
 * @param jobs the jobs handed out, in due order, expired leases first; some may not be due yet
 * @param mode how takers learn of due jobs now
 * @param nextMillis how long until it is worth claiming again: until half of {@link ClaimRequest#aheadMillis} before the next job is
 *     due, or until the next lease runs out, or until the grace period after a silence ends if that lease runs out earlier; 0 if more is
 *     due already, or more was passed on to this node than it asked for; a short time if the claim has to wait for the journal, see
 *     {@link Flow.Request#compares}; null if nothing is waiting
 * @param nodes how many nodes are alive
 * @param held whether one of them is the holder
 */
public record Claimed(List<Job> jobs, Mode mode, @Nullable Long nextMillis, int nodes, boolean held) {

    /** How takers learn of due jobs. */
    public enum Mode {
        /** Few jobs are due soon: a doorbell rings for each. */
        QUIET,
        /** Many jobs are due soon: takers poll. */
        BUSY,
        /** The queue is paused: nothing is handed out. */
        PAUSED,
        /** The flow log has as many entries as it may have: nothing is handed out until it is read and trimmed. */
        FULL
    }

    /**
     * A job that was handed out.
     *
     * @param lease the lease that the claim gives
     * @param record the record as stored; null if it is missing
     * @param attempt the attempt that the claim begins
     * @param leaseMillis the job's own lease, or null for the queue's
     * @param lost how many attempts in a row, this one not counted, ended with their lease running out; those that were given
     *     back do not end the row
     * @param expired whether it was handed out because its lease had run out
     * @param begun whether an attempt at it had begun that was given back; not after a redrive
     * @param nowMicros the ledger's clock at the claim
     */
    public record Job(
            Lease lease,
            @Nullable String record,
            Attempt attempt,
            @Nullable Long leaseMillis,
            int lost,
            boolean expired,
            boolean begun,
            long nowMicros) {

        /** When this attempt was due; where that is not known, at the claim. */
        public long dueMillis() {
            Long due = attempt.dueMillis();
            return due == null ? nowMillis() : due;
        }

        /** The ledger's clock at the claim. */
        public long nowMillis() {
            return nowMicros / 1000;
        }

        /** When its attempt may begin, by the ledger's clock: at the claim, or at its due time if that is later. */
        public long beginsMillis() {
            return Math.max(nowMillis(), dueMillis());
        }

        /** How long the attempt has to wait after the claim before it may begin, in microseconds. */
        public long waitMicros() {
            return Math.max(0, dueMillis() * 1000 - nowMicros);
        }
    }
}

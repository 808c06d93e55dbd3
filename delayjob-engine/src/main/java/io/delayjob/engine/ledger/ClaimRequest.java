package io.delayjob.engine.ledger;

/**
 * A node's request for due jobs.
 *
 * @param node who asks
 * @param limit at most this many, 1 to {@link Ledger#MAX_BATCH}
 * @param lostLimit at most this many of those whose lease ran out; and with such a job, or with one that lost its lease before and was
 *     given back or passed on since, at most this many in all: it may be what ended its node, and would take the others along
 * @param leaseMillis the lease of jobs without one of their own
 * @param random the random part of the tokens, new for each claim, the same for its repeats
 * @param maxBytes at most this many bytes of records, 0 to {@link Ledger#MAX_CLAIM_BYTES}, but one job at least; 0 for no job
 * @param unsure whether an earlier call of the lane, or another try of this one, may still be under way: once this one is
 *     answered, it hands out nothing
 * @param mixed whether the nodes can run different jobs: what this one has no handler for, and another live one has, is then not
 *     handed out but left to that one; where that is much, nothing else may be handed out, though more is due
 * @param aheadMillis by how much jobs are handed out before they are due; the node begins each when it is due
 */
public record ClaimRequest(
        String node,
        int limit,
        int lostLimit,
        long leaseMillis,
        String random,
        int maxBytes,
        boolean unsure,
        boolean mixed,
        int aheadMillis) {

    /** A claim without special limits: any due jobs, on a lane whose earlier calls were all answered. */
    public ClaimRequest(String node, int limit, long leaseMillis, String random) {
        this(node, limit, limit, leaseMillis, random, Ledger.MAX_CLAIM_BYTES, false, false, 0);
    }

    /** The same claim for another try, with at most this many bytes. */
    public ClaimRequest repeated(int bytes) {
        return new ClaimRequest(node, limit, lostLimit, leaseMillis, random, bytes, true, mixed, aheadMillis);
    }
}

package io.delayjob.redisson.internal.ledger;

/**
 * A node asks for due jobs.
 *
 * @param node who asks
 * @param limit at most this many, 1 to {@link Ledger#MAX_BATCH}
 * @param lostLimit at most this many of those whose lease ran out, and if there is one, at most this many in all: it may be what
 *     ended its node, and would take the others along
 * @param leaseMillis the lease of jobs without one of their own
 * @param random the random part of the tokens, new for each claim, the same for its repeats
 */
public record ClaimRequest(String node, int limit, int lostLimit, long leaseMillis, String random) {

    /** Of whatever is due. */
    public ClaimRequest(String node, int limit, long leaseMillis, String random) {
        this(node, limit, limit, leaseMillis, random);
    }
}

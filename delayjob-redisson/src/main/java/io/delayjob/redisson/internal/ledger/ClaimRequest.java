package io.delayjob.redisson.internal.ledger;

/**
 * A node asks for due jobs.
 *
 * @param node who asks
 * @param limit at most this many, 1 to {@link Ledger#MAX_BATCH}
 * @param leaseMillis the lease of jobs without one of their own
 * @param random the random part of the tokens, new for each claim, the same for its repeats
 */
public record ClaimRequest(String node, int limit, long leaseMillis, String random) {}

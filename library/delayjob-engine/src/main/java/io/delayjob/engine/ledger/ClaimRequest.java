package io.delayjob.engine.ledger;

/**
 * A node's request for due jobs.
 *
 * @param node the node that asks
 * @param worker the worker that runs the jobs, as it is stored with them; the node itself unless it claims for others
 * @param limits how much it asks for
 * @param leaseMillis the lease of jobs without one of their own
 * @param random the random part of the tokens, new for each claim, the same for its repeats
 * @param unsure whether an earlier call of the lane, or another try of this one, may still be under way: once this one is
 *     answered, the other hands out nothing. False for a claim that other nodes may send too, whose repeat gives nothing back
 * @param mixed whether the nodes can run different jobs: a job for which another live node has a handler, and this one has none,
 *     is then left to that node; if there are many such jobs, no others may be handed out, though more are due
 * @param aheadMillis by how much jobs are handed out before they are due; the node begins each when it is due
 * @param boostMillis how much later than another a job may come due for each step of priority above it, and still be handed out first;
 *     0 if the priority says nothing but which of two jobs that come due in the same millisecond is first
 */
public record ClaimRequest(
        String node,
        String worker,
        Limits limits,
        long leaseMillis,
        String random,
        boolean unsure,
        boolean mixed,
        int aheadMillis,
        long boostMillis) {

    /**
     * How much is handed out.
     *
     * @param jobs at most this many new ones, 0 to {@link Ledger#MAX_BATCH}; 0 to get only those of the call that this one repeats
     * @param lost at most this many of those whose lease ran out; and with such a job, or with one that lost its lease before and was
     *     given back or passed on since, at most this many in all: it may be what ended its node, and would take the others along
     * @param bytes at most this many bytes of records, 0 to {@link Ledger#MAX_CLAIM_BYTES}, but one job at least; 0 for no job
     */
    public record Limits(int jobs, int lost, int bytes) {

        /** How many jobs there may be in all if there is one that lost its lease. */
        public int besideLost() {
            return Math.min(jobs, lost);
        }

        /** So many jobs, whatever became of their leases, and as many bytes as an answer may have. */
        public static Limits of(int jobs) {
            return new Limits(jobs, jobs, Ledger.MAX_CLAIM_BYTES);
        }
    }

    /** A claim of a node that runs the jobs itself, in the order of their due times. */
    public ClaimRequest(
            String node,
            Limits limits,
            long leaseMillis,
            String random,
            boolean unsure,
            boolean mixed,
            int aheadMillis) {
        this(node, node, limits, leaseMillis, random, unsure, mixed, aheadMillis, 0);
    }

    /** A claim without special limits: any due jobs, on a lane whose earlier calls were all answered. */
    public ClaimRequest(String node, int jobs, long leaseMillis, String random) {
        this(node, Limits.of(jobs), leaseMillis, random, false, false, 0);
    }

    /** The same claim with another boost. */
    public ClaimRequest withBoost(long millis) {
        return new ClaimRequest(node, worker, limits, leaseMillis, random, unsure, mixed, aheadMillis, millis);
    }

    /** The same claim for another try, with at most this many bytes. */
    public ClaimRequest repeated(int bytes) {
        Limits fewer = new Limits(limits.jobs, limits.lost, bytes);
        return new ClaimRequest(node, worker, fewer, leaseMillis, random, true, mixed, aheadMillis, boostMillis);
    }
}

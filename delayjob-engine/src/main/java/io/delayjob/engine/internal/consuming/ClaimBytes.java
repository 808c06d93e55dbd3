package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.ledger.Ledger;

/**
 * How many bytes of records the next answer to a claim may have: fewer after each that does not come, in the end none, so that a
 * connection that is too slow for what it is given does not keep the jobs for ever; and more again after each that does. The tries
 * of one call hence never ask for more: one that arrives late gives back nothing that a later one handed out. Of one thread.
 */
final class ClaimBytes {

    private static final int FEWEST = 16 * 1024;
    private static final int STEP = 4;

    private int most = Ledger.MAX_CLAIM_BYTES;

    int most() {
        return most;
    }

    /** The answer came. */
    void answered() {
        most = Math.min(Math.max(FEWEST, most * STEP), Ledger.MAX_CLAIM_BYTES);
    }

    /** The answer did not come, though the claim may have run. */
    void unanswered() {
        most = most / STEP < FEWEST ? 0 : most / STEP;
    }
}

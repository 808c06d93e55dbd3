package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.ledger.Ledger;

/**
 * Limits the bytes of records in the next answer to a claim. Each answer that does not arrive lowers the limit, down to zero, so
 * that a connection which is too slow for the answers does not keep jobs for ever; each answer that arrives raises it again. The
 * limit never grows between the tries of one call, so a try that arrives late gives back nothing that a later one handed out. For
 * one thread only.
 */
final class ClaimBytes {

    private static final int FEWEST = 16 * 1024;
    private static final int STEP = 4;

    private int most = Ledger.MAX_CLAIM_BYTES;

    int most() {
        return most;
    }

    /** An answer arrived. */
    void answered() {
        most = Math.min(Math.max(FEWEST, most * STEP), Ledger.MAX_CLAIM_BYTES);
    }

    /** An answer did not arrive, though the claim may have run. */
    void unanswered() {
        most = most / STEP < FEWEST ? 0 : most / STEP;
    }
}

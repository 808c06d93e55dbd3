package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.ledger.LedgerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops this node from claiming jobs of a shard whose settlements are refused or unanswered, because it could not settle
 * them. For one thread only.
 */
final class SettlementWatch {

    private static final Logger log = LoggerFactory.getLogger(SettlementWatch.class);

    private final Shard shard;
    private boolean holding;

    SettlementWatch(Shard shard) {
        this.shard = shard;
    }

    /** Whether no job may be claimed now; logs when that changes. */
    boolean holds() {
        LedgerException obstacle = shard.obstacle();
        if (obstacle != null && !holding) {
            log.warn(
                    "this node takes no more jobs of {} until it can store the outcome of those that it has run: {}",
                    shard.id(),
                    obstacle.getMessage());
        } else if (obstacle == null && holding) {
            log.info("this node takes jobs of {} again", shard.id());
        }
        holding = obstacle != null;
        return holding;
    }
}

package io.delayjob.journal.internal.writing;

import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.SetLimits;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.LimitTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the rows of the limits that were set for a shard. A step has all that is set for its key, so that only the last one of a page is written. Runs in
 * transactions that have the lock of the shard.
 */
final class LimitWriter {

    private final ShardId shard;
    private final Ledger ledger;
    private final LimitTable table;
    private boolean adopted;

    LimitWriter(ShardId shard, Ledger ledger, LimitTable table) {
        this.shard = shard;
        this.ledger = ledger;
        this.table = table;
    }

    /** Writes steps, in their order, none of which is written yet. */
    void write(List<Flow.Step> steps) {
        Map<String, SetLimits> last = new LinkedHashMap<>();
        steps.forEach(step -> last.put(step.id(), SetLimits.read(step.id(), step.text())));
        table.put(shard, last.values());
    }

    /** Begins to adopt anew. */
    void restart() {
        adopted = false;
    }

    /**
     * Gives rows to the limits that Redis has and that have none, because they were set before the journal; false if that was done.
     *
     * @param unlogged whether steps were lost that Redis has made, so that its limits are right where rows differ; else Redis may be older
     */
    boolean adoptNext(boolean unlogged) {
        if (adopted) {
            return false;
        }
        Map<String, SetLimits> changed = new LinkedHashMap<>();
        LedgerReply.of(ledger.limits().read(0)).allSet().forEach(one -> changed.put(one.key(), one));
        table.all(shard).forEach(known -> {
            if (unlogged) {
                changed.putIfAbsent(known.key(), new SetLimits(known.key(), null, false));
            } else {
                changed.remove(known.key());
            }
        });
        table.put(shard, changed.values());
        adopted = true;
        return true;
    }
}

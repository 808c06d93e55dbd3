package io.delayjob.journal.internal.writing;

import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.SetLimits;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.LimitTable;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.SavepointManager;

/**
 * Keeps the rows of the limits that were set for a shard. A step has all that is set for its key, so that only the last one of a page is written. Runs in
 * transactions that have the lock of the shard.
 */
final class LimitWriter {

    private static final Logger log = LoggerFactory.getLogger(LimitWriter.class);

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
    void write(List<Flow.Step> steps, SavepointManager transaction) {
        Map<String, Flow.Step> last = new LinkedHashMap<>();
        steps.forEach(step -> last.put(step.id(), step));
        last.forEach((key, step) -> put(() -> List.of(SetLimits.read(key, step.text())), transaction));
    }

    /** Limits that the database does not take do not keep it from the jobs. */
    private void put(Supplier<Collection<SetLimits>> limits, SavepointManager transaction) {
        RuntimeException failure = CarefulWriter.refused(() -> table.put(shard, limits.get()), transaction);
        if (failure != null) {
            log.error("limits of {} are not in the journal: {}", shard, CarefulWriter.note(failure), failure);
        }
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
    boolean adoptNext(boolean unlogged, SavepointManager transaction) {
        if (adopted) {
            return false;
        }
        Map<String, SetLimits> found = new LinkedHashMap<>();
        LedgerReply.of(ledger.limits().read(0)).allSet().forEach(one -> found.put(one.key(), one));
        if (!unlogged) {
            table.all(shard).forEach(known -> found.remove(known.key()));
        }
        put(found::values, transaction);
        adopted = true;
        return true;
    }
}

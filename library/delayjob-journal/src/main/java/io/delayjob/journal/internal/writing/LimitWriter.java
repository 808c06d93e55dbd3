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
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.SavepointManager;

/** Keeps the rows of the limits that were set for a shard, and of what is paused. Runs in transactions that have the lock of the shard. */
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
        Map<String, List<Flow.Step>> byKey =
                steps.stream().collect(Collectors.groupingBy(Flow.Step::id, LinkedHashMap::new, Collectors.toList()));
        byKey.forEach((key, its) -> put(() -> List.of(after(its, table.find(shard, key))), transaction));
    }

    private static SetLimits after(List<Flow.Step> steps, SetLimits before) {
        SetLimits now = before;
        for (Flow.Step step : steps) {
            now = after(step, now);
        }
        return now;
    }

    /** A step has either all limits that are set for its key, or whether it is paused. */
    private static SetLimits after(Flow.Step step, SetLimits before) {
        return step.kind() == Flow.Kind.PAUSE
                ? before.withPaused(step.text() != null)
                : SetLimits.read(step.id(), step.text()).withPaused(before.paused());
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
     * Writes the limits and pauses that Redis has and the rows have not, because they were set before the journal; false if that was done.
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
            table.all(shard)
                    .forEach(known -> found.computeIfPresent(known.key(), (key, redis) -> redis.overriddenBy(known)));
        }
        put(found::values, transaction);
        adopted = true;
        return true;
    }
}

package io.delayjob.journal.internal.restoring;

import io.delayjob.Limits;
import io.delayjob.engine.ledger.SetLimits;
import io.delayjob.engine.ledger.ShardLimits;
import io.delayjob.engine.ledger.ShardLimits.Shared;
import io.delayjob.engine.settings.LimitShares;
import io.delayjob.journal.internal.tables.LimitTable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets the limits of a shard again that the ledger has lost, or has in an older state, and pauses again what was paused. Limits and pauses that the journal does not know
 * stay.
 */
final class LostLimits {

    private static final Logger log = LoggerFactory.getLogger(LostLimits.class);

    private final LimitTable table;
    private final WrittenFlow written;

    LostLimits(LimitTable table, WrittenFlow written) {
        this.table = table;
        this.written = written;
    }

    /**
     * Restores them. Must come before the jobs that they hold back.
     *
     * @param goOn called before each step; throws if it is not to go on
     */
    void restore(JournaledShard shard, Runnable goOn) {
        goOn.run();
        Map<String, SetLimits> found = found(shard);
        if (lost(shard, found).isEmpty()) {
            return;
        }
        // The rows then have what was set before.
        written.await(shard.id(), shard.last());
        int set = 0;
        for (Lost one : lost(shard, found)) {
            goOn.run();
            set += isSet(shard, one) ? 1 : 0;
        }
        log.info("{} limits of {} are set again", set, shard.id());
    }

    /**
     * Limits that differ.
     *
     * @param known as the journal has them
     * @param found as the ledger has them
     */
    private record Lost(SetLimits known, SetLimits found) {

        SetLimits wanted() {
            return found.under(known);
        }
    }

    private static Map<String, SetLimits> found(JournaledShard shard) {
        return Answers.repeated(() -> shard.ledger().limits().read(0)).allSet().stream()
                .collect(Collectors.toMap(SetLimits::key, one -> one));
    }

    private List<Lost> lost(JournaledShard shard, Map<String, SetLimits> found) {
        return table.all(shard.id()).stream()
                .map(one -> new Lost(one, found.getOrDefault(one.key(), SetLimits.nothing(one.key()))))
                .filter(one -> !one.wanted().equals(one.found()))
                .toList();
    }

    /** Sets limits, unless somebody has set others since they were found to differ. */
    private static boolean isSet(JournaledShard shard, Lost lost) {
        SetLimits wanted = lost.wanted();
        if (!Answers.repeated(() -> now(shard, wanted.key())).equals(lost.found())) {
            return false;
        }
        try {
            if (Answers.repeated(() -> set(shard, wanted))) {
                return true;
            }
            log.warn(
                    "limits of the key '{}' of {} are not restored: too many others have some",
                    wanted.key(),
                    shard.id());
        } catch (IllegalArgumentException e) {
            log.warn("the limits of {} are not restored: {}", shard.id(), e.getMessage());
        }
        return false;
    }

    private static CompletableFuture<SetLimits> now(JournaledShard shard, String key) {
        ShardLimits limits = shard.ledger().limits();
        return key.isEmpty()
                ? limits.read(0).thenApply(ShardLimits.View::ofQueue)
                : limits.read(key).thenApply(view -> new SetLimits(key, view.own(), view.paused()));
    }

    private static CompletableFuture<Boolean> set(JournaledShard shard, SetLimits one) {
        ShardLimits limits = shard.ledger().limits();
        CompletableFuture<Boolean> set = CompletableFuture.completedFuture(true);
        if (one.paused()) {
            set = one.isOfQueue() ? shard.ledger().pause(true) : limits.pause(one.key(), true);
        }
        Limits terms = one.limits();
        if (terms != null) {
            set = set.thenCombine(
                    one.isOfQueue() ? limits.set(shared(shard, terms)) : limits.set(one.key(), terms),
                    Boolean::logicalAnd);
        }
        return set;
    }

    private static Shared shared(JournaledShard shard, Limits limits) {
        return new Shared(
                limits, LimitShares.share(limits.forQueue(), shard.id().number(), shard.shards()));
    }
}

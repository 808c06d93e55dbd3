package io.delayjob.journal.internal.restoring;

import io.delayjob.Limits;
import io.delayjob.engine.ledger.SetLimits;
import io.delayjob.engine.ledger.ShardLimits;
import io.delayjob.engine.settings.LimitShares;
import io.delayjob.journal.internal.tables.LimitTable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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
        log.info("limits or pauses are set again in {}: {}", shard.id(), set);
    }

    /**
     * Limits that differ, or a pause that the ledger has not.
     *
     * @param known as the journal has them
     * @param found as the ledger has them
     */
    private record Lost(SetLimits known, SetLimits found) {

        String key() {
            return known.key();
        }

        boolean differs() {
            return isPaused() || limits() != null;
        }

        /** Whether it is to be paused. */
        boolean isPaused() {
            return known.paused() && !found.paused();
        }

        /** The limits that are to be set; null for none. */
        @Nullable Limits limits() {
            return Objects.equals(known.limits(), found.limits()) ? null : known.limits();
        }
    }

    private static Map<String, SetLimits> found(JournaledShard shard) {
        return Answers.repeated(() -> shard.ledger().limits().read(0)).allSet().stream()
                .collect(Collectors.toMap(SetLimits::key, one -> one));
    }

    private List<Lost> lost(JournaledShard shard, Map<String, SetLimits> found) {
        return table.all(shard.id()).stream()
                .map(one -> new Lost(one, found.getOrDefault(one.key(), SetLimits.nothing(one.key()))))
                .filter(Lost::differs)
                .toList();
    }

    /** Sets limits, unless somebody has set others since they were found to differ. */
    private boolean isSet(JournaledShard shard, Lost lost) {
        Now now = Answers.repeated(() -> now(shard, lost.key()));
        if (!now.limits().equals(lost.found())
                || !table.find(shard.id(), lost.key()).equals(lost.known())) {
            return false;
        }
        try {
            if (Answers.repeated(() -> set(shard, lost, now.version()))) {
                if (lost.isPaused() && lost.known().isOfQueue()) {
                    log.warn("{} is paused again, as it was before Redis lost its data", shard.id());
                }
                return true;
            }
            if (!lost.known().isOfQueue()) {
                log.warn(
                        "limits of the key '{}' of {} are not restored: too many others have some",
                        lost.key(),
                        shard.id());
            }
        } catch (IllegalArgumentException e) {
            log.warn("the limits of {} are not restored: {}", shard.id(), e.getMessage());
        }
        return false;
    }

    /**
     * Limits and a pause as the ledger has them now.
     *
     * @param version the version of limits of a queue; 0 for a key
     */
    private record Now(SetLimits limits, long version) {}

    private static CompletableFuture<Now> now(JournaledShard shard, String key) {
        ShardLimits limits = shard.ledger().limits();
        return key.isEmpty()
                ? limits.read(0).thenApply(view -> new Now(view.ofQueue(), view.version()))
                : limits.read(key).thenApply(view -> new Now(new SetLimits(key, view.own(), view.paused()), 0));
    }

    /** Limits of a queue keep their version, and those of a later one stay. */
    private static CompletableFuture<Boolean> set(JournaledShard shard, Lost lost, long version) {
        ShardLimits limits = shard.ledger().limits();
        boolean isOfQueue = lost.known().isOfQueue();
        CompletableFuture<Boolean> set = CompletableFuture.completedFuture(true);
        if (lost.isPaused()) {
            set = isOfQueue ? shard.ledger().pause(true) : limits.pause(lost.key(), true);
        }
        Limits terms = lost.limits();
        if (terms != null) {
            set = set.thenCombine(
                    isOfQueue
                            ? limits.set(LimitShares.shared(terms, shard.id().number(), shard.shards()), version)
                                    .thenApply(has -> has == version)
                            : limits.set(lost.key(), terms),
                    Boolean::logicalAnd);
        }
        return set;
    }
}

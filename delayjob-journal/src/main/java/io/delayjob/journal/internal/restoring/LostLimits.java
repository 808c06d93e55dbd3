package io.delayjob.journal.internal.restoring;

import io.delayjob.Limits;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.SetLimits;
import io.delayjob.engine.ledger.ShardLimits;
import io.delayjob.engine.ledger.ShardLimits.Shared;
import io.delayjob.engine.settings.LimitShares;
import io.delayjob.journal.internal.tables.LimitTable;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sets the limits of a shard again that the ledger has lost, or has in an older state. Limits that the journal does not know stay. */
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
        if (lost(shard).isEmpty()) {
            return;
        }
        // Some may have been set or cleared a moment ago.
        Flow.Missing none = Answers.repeated(() -> shard.ledger().missing(List.of()));
        written.await(shard.id(), none.last());
        List<SetLimits> lost = lost(shard);
        for (SetLimits one : lost) {
            goOn.run();
            if (!Answers.repeated(() -> set(shard, one))) {
                log.warn(
                        "the limits of the key '{}' of {} are not restored: too many others have limits",
                        one.key(),
                        shard.id());
            }
        }
        log.info("{} limits of {} are set again", lost.size(), shard.id());
    }

    private List<SetLimits> lost(JournaledShard shard) {
        List<SetLimits> known = table.all(shard.id());
        if (known.isEmpty()) {
            return List.of();
        }
        Set<SetLimits> found = Set.copyOf(
                Answers.repeated(() -> shard.ledger().limits().read(0)).allSet());
        return known.stream().filter(one -> !found.contains(one)).toList();
    }

    private static CompletableFuture<Boolean> set(JournaledShard shard, SetLimits one) {
        ShardLimits limits = shard.ledger().limits();
        Limits terms = one.limits();
        if (!one.key().isEmpty()) {
            return limits.set(one.key(), terms)
                    .thenCombine(limits.pause(one.key(), one.paused()), (set, paused) -> set && paused);
        }
        return limits.set(
                terms == null
                        ? null
                        : new Shared(
                                terms,
                                LimitShares.share(terms.forQueue(), shard.id().number(), shard.shards())));
    }
}

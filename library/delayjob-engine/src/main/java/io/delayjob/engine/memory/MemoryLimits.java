package io.delayjob.engine.memory;

import io.delayjob.Limits;
import io.delayjob.engine.ledger.Listing.Position;
import io.delayjob.engine.ledger.ShardLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** The limits of a shard in memory. */
record MemoryLimits(MemoryLedger ledger, MemoryShard shard) implements ShardLimits {

    private KeptLimits kept() {
        return shard.waiting.limits;
    }

    @Override
    public CompletableFuture<Long> set(@Nullable Shared limits, long version) {
        return ledger.step(now -> set(limits, version, now));
    }

    @Override
    public CompletableFuture<Long> setAfter(@Nullable Shared limits, long known) {
        return ledger.step(now -> set(limits, kept().versionAfter(known, now), now));
    }

    /** Sets the limits of the queue, unless there are later ones. Answers their version. */
    private long set(@Nullable Shared limits, long version, long now) {
        if (kept().set(limits, version)) {
            shard.flow.noteLimits("", kept().set(), now);
            shard.waiting.limitsChanged(now);
            shard.ring(Set.of(), now);
        }
        return kept().version();
    }

    private CompletableFuture<Boolean> changed(String key, LongConsumer change) {
        return ledger.step(now -> {
            change.accept(now);
            shard.waiting.lanes.limitsChanged(key, now);
            shard.ring(Set.of(), now);
            return true;
        });
    }

    @Override
    public CompletableFuture<Boolean> set(String key, @Nullable Limits limits) {
        if (limits != null && !kept().hasRoom(key, MOST_KEYS)) {
            return CompletableFuture.completedFuture(false);
        }
        return changed(key, now -> {
            if (limits == null) {
                kept().keys.remove(key);
            } else {
                kept().keys.put(key, limits);
            }
            shard.flow.noteLimits(key, limits, now);
        });
    }

    @Override
    public CompletableFuture<Boolean> pause(String key, boolean paused) {
        if (paused && !kept().hasRoom(key, MOST_KEYS)) {
            return CompletableFuture.completedFuture(false);
        }
        return changed(key, now -> {
            if (paused) {
                kept().paused.add(key);
            } else {
                kept().paused.remove(key);
                kept().endSlow(key);
            }
            shard.flow.notePause(key, paused, now);
        });
    }

    @Override
    public CompletableFuture<Boolean> slow(@Nullable String key, Duration time) {
        return ledger.step(now -> {
            kept().slow(key, now + time.toMillis());
            return true;
        });
    }

    @Override
    public CompletableFuture<Boolean> reconsider() {
        return CompletableFuture.completedFuture(false);
    }

    @Override
    public CompletableFuture<Standing> join(String round) {
        return ledger.step(now -> {
            kept().join(round);
            return new Standing(
                    kept().round(),
                    Standing.shared(kept().even()),
                    Standing.shared(kept().ofShard()),
                    shard.reserved.size(),
                    shard.waiting.countStartable(now),
                    shard.waiting.rateMillis(now),
                    kept().version());
        });
    }

    @Override
    public CompletableFuture<Optional<Limits>> lend(String round, Limits even, Limits share) {
        return ledger.step(now -> {
            Optional<Limits> lent = kept().lend(round, even, share, shard.reserved.size());
            if (lent.isPresent()) {
                shard.waiting.shareChanged(now);
                shard.ring(Set.of(), now);
            }
            return lent;
        });
    }

    @Override
    public CompletableFuture<View> read(int most) {
        return ledger.step(now -> new View(
                kept().set(),
                kept().version(),
                kept().declared(),
                Standing.shared(kept().ofShard()),
                Map.copyOf(kept().keys),
                shard.paused,
                List.copyOf(kept().paused),
                shard.waiting.lanes.held(now),
                shard.waiting.limited(now),
                shard.waiting.lanes.jobs(),
                shard.waiting.lanes.longest(now, most),
                shard.reserved.size(),
                shard.reserved.upTo(Long.MAX_VALUE - 1, KeyView.MOST_HOLDERS).stream()
                        .map(Position::id)
                        .toList(),
                shard.waiting.begins(now)));
    }

    @Override
    public CompletableFuture<KeyView> read(String key) {
        return ledger.step(now -> shard.waiting.lanes.view(key, now));
    }
}

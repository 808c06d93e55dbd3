package io.delayjob.engine.internal.administering;

import io.delayjob.DelayJobLimits;
import io.delayjob.DelayJobLimits.HeldKey;
import io.delayjob.Limits;
import io.delayjob.TooManyKeysException;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.ledger.ShardLimits;
import io.delayjob.engine.ledger.ShardLimits.Shared;
import io.delayjob.engine.settings.LimitShares;
import io.delayjob.support.Checks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads and changes the limits of queues and keys. The limits of a queue are in each of its shards, those of a key in the shard of the key. */
final class LimitsAdmin {

    private final Queues queues;

    LimitsAdmin(Queues queues) {
        this.queues = queues;
    }

    CompletableFuture<DelayJobLimits> read(String queue) {
        List<CompletableFuture<ShardLimits.View>> asked = shards(queue).stream()
                .map(limits -> limits.read(DelayJobLimits.MOST_LONGEST))
                .toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(done -> merged(
                        queue, asked.stream().map(CompletableFuture::join).toList()));
    }

    private static DelayJobLimits merged(String queue, List<ShardLimits.View> views) {
        Map<String, Limits> keys = new HashMap<>();
        views.forEach(view -> keys.putAll(view.keys()));
        ShardLimits.View latest = Collections.max(views, Comparator.comparingLong(ShardLimits.View::version));
        return new DelayJobLimits(
                queue,
                latest.set(),
                LimitShares.whole(views.stream().map(ShardLimits.View::declared).toList()),
                keys,
                views.stream().flatMap(view -> view.paused().stream()).sorted().toList(),
                views.stream().mapToLong(ShardLimits.View::held).sum(),
                views.stream().mapToLong(ShardLimits.View::limited).sum(),
                views.stream().mapToLong(ShardLimits.View::jobs).sum(),
                views.stream()
                        .flatMap(view -> view.longest().stream())
                        .filter(key -> key.next() != null)
                        .sorted(Comparator.comparingLong(ShardLimits.KeyView::sinceMillis))
                        .limit(DelayJobLimits.MOST_LONGEST)
                        .map(LimitsAdmin::held)
                        .toList());
    }

    private static HeldKey held(ShardLimits.KeyView key) {
        return new HeldKey(
                key.key(),
                key.paused(),
                Objects.requireNonNull(key.next()),
                Instant.ofEpochMilli(key.sinceMillis()),
                key.begins().at(),
                key.waiting(),
                key.running(),
                key.holders(),
                key.dead());
    }

    CompletableFuture<DelayJobLimits.OfKey> read(String queue, String key) {
        ShardLimits shard = limitsOf(queue, key);
        return shard.read(0).thenCombine(shard.read(key), (view, its) -> ofKey(queue, view, its));
    }

    private static DelayJobLimits.OfKey ofKey(String queue, ShardLimits.View view, ShardLimits.KeyView key) {
        Limits each = view.effective().perKey();
        return new DelayJobLimits.OfKey(
                queue,
                key.key(),
                key.own(),
                each == null ? Limits.NONE : each,
                key.paused(),
                key.next(),
                key.next() == null ? null : Instant.ofEpochMilli(key.nextMillis()),
                key.begins().at(),
                key.waiting(),
                key.running(),
                key.holders(),
                key.dead());
    }

    private ShardLimits limitsOf(String queue, String key) {
        return queues.shard(Checks.queue(queue), Checks.key(key)).ledger().limits();
    }

    /** Sets the limits of a queue; null to clear them. Shards that have not got those of the first one get them from a node, see ShareBalance. */
    CompletableFuture<Void> set(String queue, @Nullable Limits limits) {
        List<ShardLimits> shards = shards(queue);
        List<@Nullable Shared> shares = new ArrayList<>();
        for (int number = 0; number < shards.size(); number++) {
            shares.add(LimitShares.shared(limits, number, shards.size()));
        }
        return latestVersion(shards.subList(1, shards.size()))
                .thenCompose(known -> shards.get(0).setAfter(shares.get(0), known))
                .thenCompose(version -> {
                    CompletableFuture<?>[] changes = new CompletableFuture<?>[shards.size()];
                    for (int number = 0; number < changes.length; number++) {
                        ShardLimits shard = shards.get(number);
                        changes[number] = (number == 0
                                        ? CompletableFuture.completedFuture(version)
                                        : shard.set(shares.get(number), version))
                                .thenCompose(done -> reconsider(shard));
                    }
                    return CompletableFuture.allOf(changes);
                });
    }

    /** The latest version of these shards; one that does not answer is passed over. The first shard may have lost its version, or its clock may be behind. */
    private static CompletableFuture<Long> latestVersion(List<ShardLimits> shards) {
        CompletableFuture<Long> latest = CompletableFuture.completedFuture(0L);
        for (ShardLimits shard : shards) {
            CompletableFuture<Long> version = Futures.call(() -> shard.read(0))
                    .thenApply(ShardLimits.View::version)
                    .exceptionally(failure -> 0L);
            latest = latest.thenCombine(version, Math::max);
        }
        return latest;
    }

    /** Sets the limits of a key; null to clear them. */
    CompletableFuture<Void> set(String queue, String key, @Nullable Limits limits) {
        Limits checked = limits == null ? null : limits.forKey();
        return change(queue, key, shard -> shard.set(key, checked));
    }

    CompletableFuture<Void> pause(String queue, String key, boolean paused) {
        return change(queue, key, shard -> shard.pause(key, paused));
    }

    private CompletableFuture<Void> change(
            String queue, String key, Function<ShardLimits, CompletableFuture<Boolean>> change) {
        return change.apply(limitsOf(queue, key)).thenAccept(changed -> {
            if (!changed) {
                throw new TooManyKeysException(queue, key, ShardLimits.MOST_KEYS);
            }
        });
    }

    /** Looks again at all keys that limits hold back. If that fails, the limits are set all the same, and the feeds do it. */
    private static CompletableFuture<Void> reconsider(ShardLimits shard) {
        return shard.reconsider()
                .exceptionally(failure -> false)
                .thenCompose(more -> more ? reconsider(shard) : CompletableFuture.completedFuture(null));
    }

    private List<ShardLimits> shards(String queue) {
        return queues.ledgers(Checks.queue(queue)).stream()
                .map(ledger -> ledger.limits())
                .toList();
    }
}

package io.delayjob.engine.internal.consuming;

import io.delayjob.Limits;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.records.JobIds;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.ShardLimits;
import io.delayjob.engine.ledger.ShardLimits.Standing;
import io.delayjob.engine.settings.LimitShares;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the shares of a queue's limits between its shards, to where jobs wait. The holder of the first shard does so after each of its feeds, in a
 * round: all shards join it, which ends rounds of others; then shards get less, and once all have said what they still use, others get more. So all
 * shares together are never more than the whole, whatever fails in between and whoever else does the same. One round at a time. First it brings limits that
 * were set to the shards that could not be reached then. Thread-safe.
 */
final class ShareBalance {

    private static final Logger log = LoggerFactory.getLogger(ShareBalance.class);

    /** Rounds, of about a second each, that ask the first shard alone while no shard has limits to share. */
    private static final int MOST_SKIPPED = 60;

    private final String queue;
    private final List<ShardLimits> shards;
    private String lastSeen = "";
    private boolean underWay;
    /** The version in which no shard had limits to share when all were asked; less than 0 if none is known. */
    private long cleared = -1;

    /** How many rounds since then have asked the first shard alone. */
    private int skipped;

    private @Nullable String warned;

    ShareBalance(String queue, List<ShardLimits> shards) {
        this.queue = queue;
        this.shards = shards;
    }

    /** The balance of a queue that this node serves. */
    static ShareBalance of(String queue, Queues queues) {
        return new ShareBalance(
                queue, queues.ledgers(queue).stream().map(Ledger::limits).toList());
    }

    /** Begins a round, unless one is under way or there is only one shard. Waits for nothing. */
    void begin() {
        String round = newRound();
        if (round.isEmpty()) {
            return;
        }
        var unused = Futures.call(() -> join(round, 0))
                .thenCompose(first -> concerns(first, round) ? joinOthers(round, first) : over())
                .whenComplete((done, failure) -> ended(failure));
    }

    /** The name of a round that is later than all that this node has seen; empty if none is to begin. */
    private synchronized String newRound() {
        if (underWay || shards.size() == 1) {
            return "";
        }
        underWay = true;
        long seen = lastSeen.isEmpty() ? 0 : Long.parseLong(lastSeen.substring(0, lastSeen.indexOf(':')));
        return String.format(Locale.ROOT, "%015d:%s", Math.max(System.currentTimeMillis(), seen + 1), JobIds.random());
    }

    private synchronized void ended(@Nullable Throwable failure) {
        underWay = false;
        if (failure != null && failure.getCause() instanceof IllegalArgumentException wrong) {
            String why = String.valueOf(wrong.getMessage());
            if (!why.equals(warned)) {
                log.warn("the limits that were set for queue '{}' do not fit its shards: {}", queue, why);
            }
            warned = why;
        } else if (failure != null) {
            // The feeds say so, too, if Redis is away; until the next round, the shares stay.
            log.debug("the limits of queue '{}' were not moved between its shards", queue, failure);
        }
    }

    private static CompletableFuture<Void> over() {
        return CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Standing> join(String round, int number) {
        return shards.get(number).join(round).thenApply(this::seen);
    }

    private synchronized Standing seen(Standing shard) {
        lastSeen = shard.round().compareTo(lastSeen) > 0 ? shard.round() : lastSeen;
        return shard;
    }

    /** Whether the shards may have to be looked at, by the first one. A later round looks at them itself. */
    private synchronized boolean concerns(Standing first, String round) {
        if (first.isLimited()) {
            return first.round().equals(round);
        }
        boolean isDue = first.version() != cleared || skipped == MOST_SKIPPED;
        skipped = isDue ? 0 : skipped + 1;
        return isDue;
    }

    private synchronized void cleared(List<Standing> all) {
        cleared = all.stream().anyMatch(Standing::isLimited) ? -1 : all.get(0).version();
    }

    private CompletableFuture<Void> joinOthers(String round, Standing first) {
        return all(number -> number == 0 ? CompletableFuture.completedFuture(first) : join(round, number))
                .thenCompose(all -> {
                    if (all.stream().anyMatch(shard -> shard.version() != first.version())) {
                        return setEverywhere(all);
                    }
                    cleared(all);
                    return all.stream()
                                    .allMatch(shard ->
                                            shard.isLimited() && shard.round().equals(round))
                            ? move(round, all)
                            : over();
                });
    }

    /**
     * Sets the limits that were set last in all shards, of which some have not got them: they could not be reached, lost their data, or are new. Each gets its
     * even share, also one that had another.
     */
    private CompletableFuture<Void> setEverywhere(List<Standing> all) {
        Standing latest = Collections.max(all, Comparator.comparingLong(Standing::version));
        return shards.get(all.indexOf(latest))
                .read(0)
                .thenCompose(view -> all(number ->
                        shards.get(number).set(LimitShares.shared(view.set(), number, shards.size()), view.version())))
                .thenAccept(done ->
                        log.info("the limits of queue '{}' that were set last are in all of its shards now", queue));
    }

    private CompletableFuture<Void> move(String round, List<Standing> all) {
        List<Limits> next = SharesByDemand.of(all);
        if (next.equals(all.stream().map(Standing::share).toList())) {
            return over();
        }
        // Also to shards that keep theirs: one whose limits have changed since it joined refuses.
        return all(number -> {
                    Standing shard = all.get(number);
                    Limits less = SharesByDemand.lesser(shard.share(), next.get(number));
                    return shards.get(number).lend(round, shard.even(), less);
                })
                .thenCompose(lent -> lent.stream().allMatch(Optional::isPresent)
                        ? grow(
                                round,
                                all,
                                lent.stream().map(Optional::orElseThrow).toList(),
                                next)
                        : over());
    }

    private CompletableFuture<Void> grow(String round, List<Standing> all, List<Limits> have, List<Limits> next) {
        List<Limits> grown = SharesByDemand.within(all, have, next);
        return all(number -> grown.get(number).equals(have.get(number))
                        ? CompletableFuture.completedFuture(Optional.<Limits>empty())
                        : shards.get(number).lend(round, all.get(number).even(), grown.get(number)))
                .thenCompose(done -> over());
    }

    /** The answers of all shards, once all have answered. */
    private <A> CompletableFuture<List<A>> all(IntFunction<CompletableFuture<A>> ask) {
        List<CompletableFuture<A>> asked =
                IntStream.range(0, shards.size()).mapToObj(ask).toList();
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(done -> asked.stream().map(CompletableFuture::join).toList());
    }
}

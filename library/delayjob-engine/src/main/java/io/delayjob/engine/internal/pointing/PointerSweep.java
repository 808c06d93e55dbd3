package io.delayjob.engine.internal.pointing;

import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Pointer;
import io.delayjob.engine.ledger.Pointers.Page;
import io.delayjob.engine.ledger.ShardId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes pointers of a shard whose jobs have ended in other shards. The holder looks at some pointers after every tenth of its feeds, and goes on at
 * once while a quarter of those it looks at are to be removed. So there are never many more pointers than jobs that they point to. One look at a time. Thread-safe.
 */
public final class PointerSweep {

    private static final Logger log = LoggerFactory.getLogger(PointerSweep.class);

    /** It begins after so many feeds of the holder. */
    static final int FEEDS = 10;

    private static final int GO_ON_FROM = 4;

    private final ShardId id;
    private final Ledger ledger;
    private final Supplier<List<Ledger>> shards;
    private String cursor = Page.FIRST;
    private int feeds;
    private boolean underWay;

    /**
     * The sweep of a shard.
     *
     * @param shards supplies all shards of its queue, by number
     */
    public PointerSweep(ShardId id, Ledger ledger, Supplier<List<Ledger>> shards) {
        this.id = id;
        this.ledger = ledger;
        this.shards = shards;
    }

    /** Begins if it is time, unless one is under way. Waits for nothing. */
    public void begin() {
        if (isTime()) {
            var unused = Futures.call(() -> sweep(List.of())).whenComplete((done, failure) -> ended(failure));
        }
    }

    private synchronized boolean isTime() {
        feeds++;
        if (underWay || feeds < FEEDS) {
            return false;
        }
        feeds = 0;
        underWay = true;
        return true;
    }

    private synchronized void ended(@Nullable Throwable failure) {
        underWay = false;
        if (failure != null) {
            log.debug("the pointers of {} were not looked at", id, failure);
        }
    }

    private CompletableFuture<Void> sweep(List<Pointer> ended) {
        return ledger.pointers().sweep(cursor, ended).thenCompose(this::looked);
    }

    private CompletableFuture<Void> looked(Page page) {
        cursor = page.cursor();
        return page.old().isEmpty()
                ? CompletableFuture.completedFuture(null)
                : ended(page.old()).thenCompose(ended -> goOn(page, ended));
    }

    private CompletableFuture<Void> goOn(Page page, List<Pointer> ended) {
        if (ended.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return ended.size() * GO_ON_FROM < page.old().size()
                ? ledger.pointers().sweep(Page.FIRST, ended).thenAccept(next -> {})
                : sweep(ended);
    }

    /** The pointers to shards that have no job with their ids. One to a shard that this node does not know stays. */
    private CompletableFuture<List<Pointer>> ended(List<Pointer> old) {
        List<Ledger> all = shards.get();
        Map<Integer, List<Pointer>> byShard = old.stream().collect(Collectors.groupingBy(Pointer::shard));
        CompletableFuture<List<Pointer>> ended = CompletableFuture.completedFuture(List.of());
        for (Map.Entry<Integer, List<Pointer>> its : byShard.entrySet()) {
            if (its.getKey() < all.size()) {
                ended = ended.thenCombine(missing(all.get(its.getKey()), its.getValue(), 0), PointerSweep::both);
            }
        }
        return ended;
    }

    private static CompletableFuture<List<Pointer>> missing(Ledger shard, List<Pointer> pointers, int from) {
        if (from >= pointers.size()) {
            return CompletableFuture.completedFuture(List.of());
        }
        List<Pointer> some = pointers.subList(from, Math.min(pointers.size(), from + Ledger.MAX_BATCH));
        return shard.missing(some.stream().map(Pointer::id).toList())
                .thenApply(answer -> of(some, answer.ids()))
                .thenCombine(missing(shard, pointers, from + some.size()), PointerSweep::both);
    }

    private static List<Pointer> of(List<Pointer> pointers, Set<String> ids) {
        return pointers.stream().filter(pointer -> ids.contains(pointer.id())).toList();
    }

    private static List<Pointer> both(List<Pointer> some, List<Pointer> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }
}

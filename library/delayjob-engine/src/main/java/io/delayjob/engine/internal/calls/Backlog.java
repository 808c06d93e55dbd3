package io.delayjob.engine.internal.calls;

import io.delayjob.engine.internal.calls.Batch.Item;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerException.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The items of a lane that wait for a call. Guarded by its lane's lock.
 *
 * @param <I> the type of an item
 * @param <A> the type of its answer
 */
final class Backlog<I, A> {

    /** The number of waiting items from which on no more are accepted. */
    static final int MOST = 50_000;

    /** The number of waiting characters from which on no more are accepted. */
    static final int MOST_WEIGHT = 32 * 1024 * 1024;

    /** The most characters in one call, so that large params do not make one script run long. */
    private static final int MOST_WEIGHT_OF_CALL = 512 * 1024;

    private final Deque<Item<I, A>> items = new ArrayDeque<>();
    private long weight;
    private int announced;
    private long announcedWeight;

    boolean isEmpty() {
        return items.isEmpty();
    }

    boolean isFull() {
        return items.size() >= MOST || weight >= MOST_WEIGHT;
    }

    /** Whether no more bulks are accepted. Items that bulks have yet to add count too, because they are in memory. */
    boolean isFullForBulks() {
        return items.size() + announced >= MOST || weight + announcedWeight >= MOST_WEIGHT;
    }

    /** Changes the number of items that bulks have yet to add. */
    void announce(int count, long itsWeight) {
        announced += count;
        announcedWeight += itsWeight;
    }

    void add(List<Item<I, A>> added) {
        for (Item<I, A> item : added) {
            items.add(item);
            weight += item.weight();
        }
    }

    /** Whether the waiting items fill a call. */
    boolean fillsACall() {
        return items.size() >= Ledger.MAX_BATCH || weight >= MOST_WEIGHT_OF_CALL;
    }

    /** Takes the items for the next call. */
    List<Item<I, A>> take() {
        int count = fitting(items, Item::weight);
        List<Item<I, A>> taken = new ArrayList<>(count);
        while (taken.size() < count) {
            taken.add(items.element());
            weight -= items.remove().weight();
        }
        return taken;
    }

    /** How many of these entries, from the first on, fit into one call. */
    static <E> int fitting(Iterable<E> entries, ToIntFunction<? super E> weight) {
        int count = 0;
        long load = 0;
        for (E entry : entries) {
            load += weight.applyAsInt(entry);
            if (count == Ledger.MAX_BATCH || (load > MOST_WEIGHT_OF_CALL && count > 0)) {
                break;
            }
            count++;
        }
        return count;
    }

    /** Takes the items whose deadline has passed. */
    List<Item<I, A>> takeOver(long nowNanos) {
        List<Item<I, A>> over = new ArrayList<>();
        items.removeIf(item -> item.isOver(nowNanos) && over.add(item));
        over.forEach(item -> weight -= item.weight());
        return over;
    }

    /** The earliest deadline of the items; {@code atLast} if that is earlier. */
    long firstDeadline(long atLast) {
        return items.stream().mapToLong(Item::deadlineNanos).reduce(atLast, Batch::earlier);
    }

    /** The failure of items that are not accepted. */
    LedgerException full() {
        return new LedgerException(
                Kind.NOT_RUN,
                "too much waits for Redis: " + (items.size() + announced) + " entries with "
                        + (weight + announcedWeight)
                        + " characters for one shard, where the limit is "
                        + MOST + " entries or " + MOST_WEIGHT + " characters; wait for answers"
                        + " before sending more, or give the queue more shards",
                null);
    }

    /** The failure of items that waited too long; {@code before} is the last failure of the call before them. */
    static LedgerException notSent(String time, @Nullable LedgerException before) {
        return new LedgerException(
                Kind.NOT_RUN,
                "it was not sent within " + time + ", because the calls before it took that long"
                        + (before == null ? "" : ": " + before.getMessage()),
                before);
    }
}

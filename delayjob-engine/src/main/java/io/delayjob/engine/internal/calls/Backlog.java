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
 * What waits in a lane for its call. Guarded by its lane's lock.
 *
 * @param <I> what is sent
 * @param <A> what is answered
 */
final class Backlog<I, A> {

    /** From so many items on no more are taken. */
    static final int MOST = 50_000;

    /** From so many characters on no more are taken. */
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

    /** Whether no more bulks are taken: what they have yet to add is in memory, too. */
    boolean isFullForBulks() {
        return items.size() + announced >= MOST || weight + announcedWeight >= MOST_WEIGHT;
    }

    /** So many more, or less, are to be added by bulks. */
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

    /** Whether a call could not carry more than what waits. */
    boolean fillsACall() {
        return items.size() >= Ledger.MAX_BATCH || weight >= MOST_WEIGHT_OF_CALL;
    }

    /** Takes what goes into the next call. */
    List<Item<I, A>> take() {
        int count = fitting(items, Item::weight);
        List<Item<I, A>> taken = new ArrayList<>(count);
        while (taken.size() < count) {
            taken.add(items.element());
            weight -= items.remove().weight();
        }
        return taken;
    }

    /** How many of these, from the first on, go into one call. */
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

    /** Takes those whose time is over. */
    List<Item<I, A>> takeOver(long nowNanos) {
        List<Item<I, A>> over = new ArrayList<>();
        items.removeIf(item -> item.isOver(nowNanos) && over.add(item));
        over.forEach(item -> weight -= item.weight());
        return over;
    }

    /** When the time of the first is over; the given time if that is earlier. */
    long firstDeadline(long atLast) {
        return items.stream().mapToLong(Item::deadlineNanos).reduce(atLast, Batch::earlier);
    }

    /** Why no more are taken. */
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

    /** Why what waited for so long fails; before it was a call that last failed so. */
    static LedgerException notSent(String time, @Nullable LedgerException before) {
        return new LedgerException(
                Kind.NOT_RUN,
                "it was not sent within " + time + ", because the calls before it took that long"
                        + (before == null ? "" : ": " + before.getMessage()),
                before);
    }
}

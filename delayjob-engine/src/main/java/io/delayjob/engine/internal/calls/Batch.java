package io.delayjob.engine.internal.calls;

import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerException.Kind;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call of a lane that is under way. Each of its items is open until it is answered or given up. Guarded by its lane's lock, but
 * for what never changes.
 *
 * @param <I> what is sent
 * @param <A> what is answered
 */
final class Batch<I, A> {

    private final Call call;
    private final List<Item<I, A>> items;
    private final BitSet open;
    private final CompletableFuture<List<A>> end = new CompletableFuture<>();
    private int tries;
    private boolean trying;
    private boolean mayHaveRun;
    private @Nullable LedgerException failure;
    private @Nullable LedgerException refusal;
    private long refusedNanos;

    /**
     * Something to be sent.
     *
     * @param weight the characters it takes
     * @param deadlineNanos when it is given up, a {@link System#nanoTime}; has no meaning where nothing is
     */
    record Item<I, A>(I value, int weight, long deadlineNanos, CompletableFuture<A> answer) {

        boolean isOver(long nowNanos) {
            return deadlineNanos - nowNanos <= 0;
        }
    }

    Batch(Call call, List<Item<I, A>> items) {
        this.call = call;
        this.items = items;
        this.open = new BitSet(items.size());
        open.set(0, items.size());
    }

    Call call() {
        return call;
    }

    List<I> values() {
        return items.stream().map(Item::value).toList();
    }

    List<Item<I, A>> items() {
        return items;
    }

    /** The answers, also to what was given up; fails with what is known of a call that got none. */
    CompletableFuture<List<A>> end() {
        return end;
    }

    int tries() {
        return tries;
    }

    void begin() {
        trying = true;
        tries++;
    }

    void failed(LedgerException why) {
        trying = false;
        mayHaveRun |= why.kind() == Kind.UNKNOWN;
        failure = why;
        if (why.kind() == Kind.REFUSED) {
            refusedNanos = refusal == null ? System.nanoTime() : refusedNanos;
            refusal = why;
        }
    }

    /** Why it is refused, if it has been for so long; null if not. */
    @Nullable LedgerException refusedFor(Duration time) {
        return System.nanoTime() - refusedNanos < time.toNanos() ? null : refusal;
    }

    /** What is known of a call whose last try failed so. */
    LedgerException known(LedgerException why) {
        return mayHaveRun ? why.afterATryThatMayHaveRun() : why;
    }

    /** Whether anybody waits for it, and it is worth another try. */
    boolean isWanted(long nowNanos) {
        return open.stream().anyMatch(position -> !items.get(position).isOver(nowNanos));
    }

    /** Whether nobody waits for it, and no try is under way. */
    boolean isOver() {
        return open.isEmpty() && !trying;
    }

    /** The positions of the open items, which are open no more. */
    BitSet close() {
        BitSet closed = (BitSet) open.clone();
        open.clear();
        return closed;
    }

    /** The positions of those whose time is over, which are open no more. */
    BitSet closeOver(long nowNanos) {
        BitSet closed = new BitSet();
        open.stream().filter(position -> items.get(position).isOver(nowNanos)).forEach(closed::set);
        open.andNot(closed);
        return closed;
    }

    /** When the time of the first open one is over; the given time if that is earlier. */
    long firstDeadline(long atLast) {
        return open.stream()
                .mapToLong(position -> items.get(position).deadlineNanos())
                .reduce(atLast, Batch::earlier);
    }

    /** The earlier of two times by {@link System#nanoTime}. */
    static long earlier(long one, long other) {
        return one - other < 0 ? one : other;
    }

    /** Why nothing is said of an item by the end of its time. A call that others still wait for is repeated with all its items. */
    LedgerException silence(String time) {
        if (!isOver() || failure == null) {
            return new LedgerException(Kind.UNKNOWN, "Redis did not answer within " + time, failure);
        }
        return known(failure);
    }

    /** What holds up those that wait behind it. */
    @Nullable LedgerException failure() {
        return failure;
    }
}

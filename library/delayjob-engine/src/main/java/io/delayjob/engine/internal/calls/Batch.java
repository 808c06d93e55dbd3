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
 * A call of a lane that is under way. Each of its items is open until it is answered or given up. Mutable state is guarded by its
 * lane's lock.
 *
 * @param <I> the type of an item
 * @param <A> the type of its answer
 */
final class Batch<I, A> {

    private final Call call;
    private final List<Item<I, A>> items;
    private final BitSet open;
    private final CompletableFuture<List<A>> end = new CompletableFuture<>();
    private final long begunNanos = System.nanoTime();
    private int tries;
    private boolean trying;
    private boolean mayHaveRun;
    private @Nullable LedgerException failure;
    private @Nullable LedgerException refusal;
    private long refusedNanos;

    /**
     * An item to send.
     *
     * @param weight its length, in characters
     * @param deadlineNanos when it is given up, a {@link System#nanoTime}; unused in a lane without a timeout
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

    /** The answers, including those to items that were given up; fails with what is known of the call if it got none. */
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

    /** Why the call has no answer yet, if it has been refused or unanswered for at least these times; null if not. */
    @Nullable LedgerException obstacle(Duration refused, Duration unanswered) {
        long now = System.nanoTime();
        if (refusal != null && now - refusedNanos >= refused.toNanos()) {
            return refusal;
        }
        return now - begunNanos < unanswered.toNanos() ? null : silence(String.valueOf(unanswered));
    }

    /** The failure of the call after its last try failed like this; the outcome is unknown if an earlier try may have run. */
    LedgerException known(LedgerException why) {
        return mayHaveRun ? why.afterATryThatMayHaveRun() : why;
    }

    /** Whether a caller still waits for it, so that it is worth another try. */
    boolean isWanted(long nowNanos) {
        return open.stream().anyMatch(position -> !items.get(position).isOver(nowNanos));
    }

    /** Whether no caller waits for it and no try is under way. */
    boolean isOver() {
        return open.isEmpty() && !trying;
    }

    /** Closes all open items, and returns their positions. */
    BitSet close() {
        BitSet closed = (BitSet) open.clone();
        open.clear();
        return closed;
    }

    /** Closes the open items whose deadline has passed, and returns their positions. */
    BitSet closeOver(long nowNanos) {
        BitSet closed = new BitSet();
        open.stream().filter(position -> items.get(position).isOver(nowNanos)).forEach(closed::set);
        open.andNot(closed);
        return closed;
    }

    /** The earliest deadline of the open items; {@code atLast} if that is earlier. */
    long firstDeadline(long atLast) {
        return open.stream()
                .mapToLong(position -> items.get(position).deadlineNanos())
                .reduce(atLast, Batch::earlier);
    }

    /** The earlier of two times by {@link System#nanoTime}. */
    static long earlier(long one, long other) {
        return one - other < 0 ? one : other;
    }

    /**
     * The failure of items whose deadline has passed. While others still wait for the call, it is repeated with all its items, so
     * these may still run.
     */
    LedgerException silence(String time) {
        if (!isOver() || failure == null) {
            return new LedgerException(Kind.UNKNOWN, "Redis did not answer within " + time, failure);
        }
        return known(failure);
    }

    /** The failure that delays the items behind this call; null if there is none. */
    @Nullable LedgerException failure() {
        return failure;
    }
}

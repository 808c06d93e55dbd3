package io.delayjob.engine.internal.calls;

import io.delayjob.engine.ledger.LedgerException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Items that are sent together and fill more than one call. The lane gets two calls' worth at a time, and more as those are
 * answered. So other callers do not wait behind all of them, and the time limit of each part starts when the part before it is
 * answered. Once a part has failed, the rest is not sent.
 *
 * @param <I> the type of an item
 * @param <A> the type of its answer
 */
final class Bulk<I, A> {

    /** Two, so that one part waits in the lane while the other is under way. */
    private static final int PARTS_AT_A_TIME = 2;

    private final Lane<I, A> lane;
    private final List<I> values;
    private final List<CompletableFuture<A>> answers;
    private final AtomicInteger parts = new AtomicInteger();
    private int sent;
    private volatile @Nullable Throwable failure;

    private Bulk(Lane<I, A> lane, List<I> values) {
        this.lane = lane;
        this.values = values;
        this.answers =
                Stream.generate(CompletableFuture<A>::new).limit(values.size()).toList();
    }

    /**
     * Sends items in as few calls as possible.
     *
     * @param deadlineNanos the deadline of the items if they fit into one call, a {@link System#nanoTime}
     */
    static <I, A> List<CompletableFuture<A>> send(Lane<I, A> lane, List<I> values, long deadlineNanos) {
        if (lane.fitting(values) == values.size()) {
            return lane.addAll(values, deadlineNanos);
        }
        Bulk<I, A> bulk = new Bulk<>(lane, values);
        LedgerException full = lane.announce(values);
        if (full == null) {
            bulk.send(PARTS_AT_A_TIME);
        } else {
            bulk.answers.forEach(answer -> answer.completeExceptionally(full));
        }
        return bulk.answers;
    }

    /** Sends this many more parts; if another thread is sending already, that thread sends them. */
    private void send(int more) {
        if (parts.getAndAdd(more) > 0) {
            return;
        }
        // A loop, not recursion: with a ledger that answers at once, each part would add a stack frame.
        do {
            sendPart();
        } while (parts.decrementAndGet() > 0);
    }

    private void sendPart() {
        Throwable why = failure;
        if (why != null) {
            giveUp(Futures.ledgerException(why));
        } else if (sent < values.size()) {
            int end = sent + lane.fitting(values.subList(sent, values.size()));
            List<CompletableFuture<A>> part = answers.subList(sent, end);
            lane.addAnnounced(values.subList(sent, end), part);
            sent = end;
            CompletableFuture.allOf(part.toArray(CompletableFuture[]::new)).whenComplete(this::answered);
        }
    }

    private void answered(@Nullable Void done, @Nullable Throwable why) {
        if (why != null) {
            failure = why;
        }
        send(1);
    }

    private void giveUp(LedgerException why) {
        LedgerException notSent = Futures.notSentAfter(why);
        List<CompletableFuture<A>> rest = answers.subList(sent, answers.size());
        lane.withdraw(values.subList(sent, values.size()));
        sent = answers.size();
        rest.forEach(answer -> answer.completeExceptionally(notSent));
    }
}

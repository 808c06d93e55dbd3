package io.delayjob.engine.internal.calls;

import io.delayjob.Backoff;
import io.delayjob.engine.internal.calls.Batch.Item;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.LedgerException;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Sends one kind of call to one shard. It has one call under way at a time; items that arrive in the meantime go into the next
 * call. So a single item is sent at once, and under load calls carry many items. A failed call is repeated under its number, so
 * that it takes effect once however often it is sent. Thread-safe.
 *
 * @param <I> the type of an item
 * @param <A> the type of its answer
 */
final class Lane<I, A> {

    /*
     * A lane with a timeout answers each item by the item's own deadline, whatever the ledger does. An item that has not been sent
     * by then did not run. An item of a call under way may have run unless every try failed for certain; its caller is told so. The
     * lane then waits for the end of that try, which the client bounds, before it sends the next call: otherwise a silent ledger
     * would get one call after the other with items whose time is nearly over. A call is repeated with all its items while the
     * caller of any of them waits, so an item that was given up earlier may still run. If the outcome of calls can be asked for
     * later, the lane continues under a new name after a call that may have run, so that nothing overwrites the memo of that call.
     */

    private static final Backoff PAUSE = Backoff.exponential(Duration.ofMillis(50), Duration.ofSeconds(2));

    private final Supplier<String> names;
    private final BiFunction<Call, List<I>, CompletableFuture<List<A>>> send;
    private final ToIntFunction<I> weight;
    private final @Nullable Duration timeout;
    private final boolean repeats;
    private final @Nullable BiConsumer<Batch<I, A>, BitSet> unknown;
    private final long apartNanos;
    private final ScheduledExecutorService scheduler;

    private final DeadlineTimer timer;
    private final Backlog<I, A> waiting = new Backlog<>();
    private @Nullable Batch<I, A> current;
    private String name;
    private long number;
    private long sentNanos;
    private boolean collecting;

    /**
     * How calls are sent.
     *
     * @param timeout how long an item waits for its answer; null for no limit
     * @param repeats whether a call that failed is sent again
     * @param apart the shortest time between two calls, unless the next is full, so that calls carry more items; zero for none
     */
    record Terms(@Nullable Duration timeout, boolean repeats, Duration apart) {

        /** Calls are repeated, and each is sent as soon as the one before is answered. */
        static Terms within(@Nullable Duration timeout) {
            return new Terms(timeout, true, Duration.ZERO);
        }
    }

    /**
     * A lane.
     *
     * @param names supplies lane names that are unique in the fleet and were never used before
     * @param send sends one call, and answers for each item
     * @param weight the length of an item, in characters
     * @param terms how calls are sent
     * @param unknown receives the call and the positions of its items that are given up and may have run, before they fail; null if
     *     nobody asks for their outcome later
     */
    Lane(
            Supplier<String> names,
            BiFunction<Call, List<I>, CompletableFuture<List<A>>> send,
            ToIntFunction<I> weight,
            Terms terms,
            @Nullable BiConsumer<Batch<I, A>, BitSet> unknown,
            ScheduledExecutorService scheduler) {
        this.names = names;
        this.name = names.get();
        this.send = send;
        this.weight = weight;
        this.timeout = terms.timeout();
        this.repeats = terms.repeats();
        this.unknown = unknown;
        this.apartNanos = terms.apart().toNanos();
        this.sentNanos = System.nanoTime() - apartNanos;
        this.scheduler = scheduler;
        this.timer = new DeadlineTimer(scheduler, this::expire);
    }

    /** Sends an item; the future fails with {@link LedgerException} only. */
    CompletableFuture<A> add(I value) {
        return add(value, deadline());
    }

    /** Sends an item with a deadline. */
    CompletableFuture<A> add(I value, long deadlineNanos) {
        Item<I, A> item = item(value, deadlineNanos, new CompletableFuture<>());
        send(List.of(item), deadlineNanos);
        return item.answer();
    }

    /** Sends items with a deadline, in as few calls as possible. */
    List<CompletableFuture<A>> addAll(List<I> values, long deadlineNanos) {
        List<Item<I, A>> items = values.stream()
                .map(value -> item(value, deadlineNanos, new CompletableFuture<A>()))
                .toList();
        send(items, deadlineNanos);
        return items.stream().map(Item::answer).toList();
    }

    private Item<I, A> item(I value, long deadlineNanos, CompletableFuture<A> answer) {
        return new Item<>(value, weight.applyAsInt(value), deadlineNanos, answer);
    }

    private void send(List<Item<I, A>> items, long deadlineNanos) {
        LedgerException full = enqueue(items, deadlineNanos);
        if (full == null) {
            sendNext();
        } else {
            items.forEach(item -> item.answer().completeExceptionally(full));
        }
    }

    /** Announces items of a bulk, which are added later; returns why they are not accepted, null if they are. */
    @Nullable LedgerException announce(List<I> values) {
        synchronized (waiting) {
            if (waiting.isFullForBulks()) {
                return waiting.full();
            }
            waiting.announce(values.size(), weight(values));
            return null;
        }
    }

    /** Sends announced items; the answer of each is at the same position. */
    void addAnnounced(List<I> values, List<CompletableFuture<A>> answers) {
        long deadlineNanos = deadline();
        List<Item<I, A>> items = IntStream.range(0, values.size())
                .mapToObj(i -> item(values.get(i), deadlineNanos, answers.get(i)))
                .toList();
        synchronized (waiting) {
            withdraw(values);
            add(items, deadlineNanos);
        }
        sendNext();
    }

    /** Withdraws announced items, which will not be added. */
    void withdraw(List<I> values) {
        synchronized (waiting) {
            waiting.announce(-values.size(), -weight(values));
        }
    }

    private long weight(List<I> values) {
        return values.stream().mapToLong(weight::applyAsInt).sum();
    }

    /** How many of these items, from the first on, fit into one call. */
    int fitting(List<I> values) {
        return Backlog.fitting(values, weight);
    }

    /** The deadline of an item that is added now, a {@link System#nanoTime}; far in the future for a lane without a timeout. */
    long deadline() {
        return System.nanoTime() + (timeout == null ? Long.MAX_VALUE / 2 : TimeUnit.NANOSECONDS.convert(timeout));
    }

    /** Why the call under way has no answer yet, if it has been refused or unanswered for at least these times; null if not. */
    @Nullable LedgerException obstacle(Duration refused, Duration unanswered) {
        synchronized (waiting) {
            return current == null ? null : current.obstacle(refused, unanswered);
        }
    }

    /** Whether everything sent has been answered. */
    boolean idle() {
        synchronized (waiting) {
            return current == null && waiting.isEmpty();
        }
    }

    /** Adds items; returns why they are not accepted, null if they are. */
    private @Nullable LedgerException enqueue(List<Item<I, A>> items, long deadlineNanos) {
        synchronized (waiting) {
            if (timeout != null && waiting.isFull()) {
                return waiting.full();
            }
            add(items, deadlineNanos);
            return null;
        }
    }

    private void add(List<Item<I, A>> items, long deadlineNanos) {
        waiting.add(items);
        if (timeout != null) {
            timer.set(deadlineNanos);
        }
    }

    private void sendNext() {
        Batch<I, A> next = next();
        // A loop, not recursion: with a ledger that answers at once, each call would add a stack frame.
        while (next != null && send(next)) {
            next = next();
        }
    }

    private @Nullable Batch<I, A> next() {
        synchronized (waiting) {
            if (current != null || waiting.isEmpty() || collects()) {
                return null;
            }
            sentNanos = System.nanoTime();
            Batch<I, A> next = new Batch<>(new Call(name, ++number), waiting.take());
            next.begin();
            current = next;
            return next;
        }
    }

    /** Whether the next call waits for more items; the scheduler sends it then. */
    private boolean collects() {
        long wait = apartNanos == 0 || waiting.fillsACall() ? 0 : apartNanos - (System.nanoTime() - sentNanos);
        if (wait <= 0 || collecting) {
            return wait > 0;
        }
        try {
            scheduler.schedule(this::collected, wait, TimeUnit.NANOSECONDS);
            collecting = true;
            return true;
        } catch (RejectedExecutionException e) {
            // The engine is closed: no more items come.
            return false;
        }
    }

    private void collected() {
        synchronized (waiting) {
            collecting = false;
        }
        sendNext();
    }

    /** Sends a try; true if it ended at once, in which case the caller continues with the next call. */
    private boolean send(Batch<I, A> batch) {
        CompletableFuture<List<A>> answer = Futures.call(() -> send.apply(batch.call(), batch.values()));
        boolean atOnce = answer.isDone();
        answer.whenComplete((answers, failure) -> {
            if (failure == null) {
                answered(batch, answers, atOnce);
            } else {
                failed(batch, Futures.ledgerException(failure), atOnce);
            }
        });
        return atOnce;
    }

    private void answered(Batch<I, A> batch, List<A> answers, boolean atOnce) {
        BitSet open;
        synchronized (waiting) {
            current = null;
            open = batch.close();
            // If answers take no time, waiting for more items would save nothing.
            sentNanos = atOnce ? System.nanoTime() - apartNanos : sentNanos;
        }
        if (!atOnce) {
            sendNext();
        }
        batch.end().complete(answers);
        open.stream().forEach(position -> batch.items().get(position).answer().complete(answers.get(position)));
    }

    private void failed(Batch<I, A> batch, LedgerException failure, boolean atOnce) {
        LedgerException known;
        BitSet open;
        synchronized (waiting) {
            batch.failed(failure);
            if (worthRepeating(batch, failure) && repeatLater(batch)) {
                return;
            }
            known = batch.known(failure);
            open = batch.close();
            leave(known);
        }
        giveUp(batch, open, known);
        batch.end().completeExceptionally(known);
        if (!atOnce) {
            sendNext();
        }
    }

    /** Ends the call under way, which got no answer. */
    private void leave(LedgerException known) {
        current = null;
        if (unknown != null && known.mayHaveRun()) {
            name = names.get();
            number = 0;
        }
    }

    private void giveUp(Batch<I, A> batch, BitSet positions, LedgerException known) {
        if (unknown != null && known.mayHaveRun() && !positions.isEmpty()) {
            unknown.accept(batch, positions);
        }
        positions.stream()
                .forEach(position -> batch.items().get(position).answer().completeExceptionally(known));
    }

    private boolean worthRepeating(Batch<I, A> batch, LedgerException failure) {
        return switch (failure.kind()) {
            // No retry after NOT_REPLICATED: the caller has already waited replication.timeout for the replicas.
            case SHUT_DOWN, NOT_REPLICATED, GARBLED -> false;
            case REFUSED -> timeout == null;
            case NOT_RUN, UNKNOWN -> repeats && batch.isWanted(System.nanoTime());
        };
    }

    private boolean repeatLater(Batch<I, A> batch) {
        long pause = PAUSE.after(batch.tries(), ThreadLocalRandom.current()).toMillis();
        try {
            scheduler.schedule(() -> repeat(batch), pause, TimeUnit.MILLISECONDS);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private void repeat(Batch<I, A> batch) {
        synchronized (waiting) {
            if (current != batch) {
                return;
            }
            batch.begin();
        }
        if (send(batch)) {
            sendNext();
        }
    }

    private void expire(long deadlineNanos) {
        synchronized (waiting) {
            if (!timer.unset(deadlineNanos)) {
                return;
            }
        }
        long now = System.nanoTime();
        expireWaiting(now);
        expireSent(now);
        synchronized (waiting) {
            if (current != null || !waiting.isEmpty()) {
                long first = waiting.firstDeadline(deadline());
                timer.set(current == null ? first : current.firstDeadline(first));
            }
        }
    }

    private void expireWaiting(long now) {
        List<Item<I, A>> over;
        LedgerException why;
        synchronized (waiting) {
            over = waiting.takeOver(now);
            why = Backlog.notSent(String.valueOf(timeout), current == null ? null : current.failure());
        }
        over.forEach(item -> item.answer().completeExceptionally(why));
    }

    private void expireSent(long now) {
        Batch<I, A> batch;
        BitSet over;
        LedgerException why;
        boolean ended;
        synchronized (waiting) {
            batch = current;
            if (batch == null) {
                return;
            }
            over = batch.closeOver(now);
            why = batch.silence(String.valueOf(timeout));
            ended = batch.isOver();
            if (ended) {
                leave(why);
            }
        }
        giveUp(batch, over, why);
        if (ended) {
            batch.end().completeExceptionally(why);
            sendNext();
        }
    }
}

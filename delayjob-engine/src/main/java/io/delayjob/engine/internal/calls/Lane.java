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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The way of one kind of call to one shard. It has one call under way at a time and puts what arrives meanwhile into the next:
 * alone, an item leaves at once; under load, calls carry many. A call that failed is repeated under its number, so that it
 * takes effect once however often it was sent. Thread-safe.
 *
 * @param <I> what is sent
 * @param <A> what is answered
 */
final class Lane<I, A> {

    /* A lane with a timeout answers each item by the item's own deadline, whatever the ledger does. What has not been sent by then
     * did not run. What is in a call under way may have run if a try did not fail for sure; its caller is told so, and the lane
     * waits for the end of that try, which the client bounds, before it sends the next call: a ledger that is silent would else
     * get call after call of items whose time is nearly over. A call is repeated with all its items while
     * the caller of any of them waits; so an item that was given up before the others of its call may still run. A lane whose calls may be
     * asked after goes on under another name after one that may have run: nothing overwrites the memo of that call. */

    private static final Backoff PAUSE = Backoff.exponential(Duration.ofMillis(50), Duration.ofSeconds(2));

    private final Supplier<String> names;
    private final BiFunction<Call, List<I>, CompletableFuture<List<A>>> send;
    private final ToIntFunction<I> weight;
    private final @Nullable Duration timeout;
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
     * A lane.
     *
     * @param names gives names that are unique in the fleet and were never used before
     * @param send one call; answers for each item
     * @param weight the characters an item takes
     * @param timeout how long an item waits for its answer; null for as long as it takes
     * @param unknown told of the items of a call that are given up and may have run, by their positions, before they fail; null if
     *     nobody asks after them
     * @param apart how long after a call the next one is sent at least, unless it is full: so it carries more; zero for at once
     */
    Lane(
            Supplier<String> names,
            BiFunction<Call, List<I>, CompletableFuture<List<A>>> send,
            ToIntFunction<I> weight,
            @Nullable Duration timeout,
            @Nullable BiConsumer<Batch<I, A>, BitSet> unknown,
            Duration apart,
            ScheduledExecutorService scheduler) {
        this.names = names;
        this.name = names.get();
        this.send = send;
        this.weight = weight;
        this.timeout = timeout;
        this.unknown = unknown;
        this.apartNanos = apart.toNanos();
        this.sentNanos = System.nanoTime() - apartNanos;
        this.scheduler = scheduler;
        this.timer = new DeadlineTimer(scheduler, this::expire);
    }

    /** Sends an item; the future fails with {@link LedgerException} only. */
    CompletableFuture<A> add(I value) {
        return add(value, deadline());
    }

    /** Sends an item that is given up then. */
    CompletableFuture<A> add(I value, long deadlineNanos) {
        return addAll(List.of(value), deadlineNanos).get(0);
    }

    /** Sends items, which are given up then, in as few calls as possible. */
    List<CompletableFuture<A>> addAll(List<I> values, long deadlineNanos) {
        List<CompletableFuture<A>> answers =
                Stream.generate(CompletableFuture<A>::new).limit(values.size()).toList();
        LedgerException full = enqueue(items(values, answers, deadlineNanos), deadlineNanos);
        if (full == null) {
            sendNext();
        } else {
            answers.forEach(answer -> answer.completeExceptionally(full));
        }
        return answers;
    }

    private List<Item<I, A>> items(List<I> values, List<CompletableFuture<A>> answers, long deadlineNanos) {
        return IntStream.range(0, values.size())
                .mapToObj(
                        i -> new Item<>(values.get(i), weight.applyAsInt(values.get(i)), deadlineNanos, answers.get(i)))
                .toList();
    }

    /** Announces items of a bulk, which are added later; returns why they are not taken, null if they are. */
    @Nullable LedgerException announce(List<I> values) {
        synchronized (waiting) {
            if (waiting.isFullForBulks()) {
                return waiting.full();
            }
            waiting.announce(values.size(), weight(values));
            return null;
        }
    }

    /** Sends items that were announced, each with its answer at the same position. */
    void addAnnounced(List<I> values, List<CompletableFuture<A>> answers) {
        long deadlineNanos = deadline();
        List<Item<I, A>> items = items(values, answers, deadlineNanos);
        synchronized (waiting) {
            withdraw(values);
            add(items, deadlineNanos);
        }
        sendNext();
    }

    /** Items that were announced are not added. */
    void withdraw(List<I> values) {
        synchronized (waiting) {
            waiting.announce(-values.size(), -weight(values));
        }
    }

    private long weight(List<I> values) {
        return values.stream().mapToLong(weight::applyAsInt).sum();
    }

    /** How many of these, from the first on, go into one call. */
    int fitting(List<I> values) {
        return Backlog.fitting(values, weight);
    }

    /** When what is added now is given up: a {@link System#nanoTime}, far away where nothing is. */
    long deadline() {
        return System.nanoTime() + (timeout == null ? Long.MAX_VALUE / 2 : TimeUnit.NANOSECONDS.convert(timeout));
    }

    /** Why the call that is under way has been refused for so long; null if it has not. */
    @Nullable LedgerException refusedFor(Duration time) {
        synchronized (waiting) {
            return current == null ? null : current.refusedFor(time);
        }
    }

    /** Whether everything sent has been answered. */
    boolean idle() {
        synchronized (waiting) {
            return current == null && waiting.isEmpty();
        }
    }

    /** Returns why they are not taken; null if they are. */
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
        // Not by recursion: a ledger that answers at once would have a frame for each call.
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

    /** Whether the next call waits for more to carry; then it is sent by the scheduler. */
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
            // The engine is closed: nothing more comes.
            return false;
        }
    }

    private void collected() {
        synchronized (waiting) {
            collecting = false;
        }
        sendNext();
    }

    /** True if the try ended at once, and the one who sent it goes on. */
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
            // There is nothing to spare where answers take no time.
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

    /** The call that is under way is so no more, and got no answer. */
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
            // Its caller has waited for the replicas as long as it is to, and knows what to do.
            case SHUT_DOWN, NOT_REPLICATED, GARBLED -> false;
            case REFUSED -> timeout == null;
            case NOT_RUN, UNKNOWN -> batch.isWanted(System.nanoTime());
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

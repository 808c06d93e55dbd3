package io.delayjob.redisson.internal.engine;

import io.delayjob.Backoff;
import io.delayjob.redisson.internal.ledger.Call;
import io.delayjob.redisson.internal.ledger.Ledger;
import io.delayjob.redisson.internal.ledger.LedgerException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
import org.jspecify.annotations.Nullable;

/**
 * The way of one kind of call to one shard. It has one call under way at a time and puts what arrives meanwhile into the next:
 * alone, an item leaves at once; under load, calls carry many. A call that failed is repeated under its number, so that it
 * takes effect once however often it was sent. A lane whose calls may be asked after goes on under another name when
 * it gives one up that may have run: nothing overwrites the memo of that call. Thread-safe.
 *
 * @param <I> what is sent
 * @param <A> what is answered
 */
final class Lane<I, A> {

    /** The most characters in one call, so that large params do not make one script run long. */
    private static final int MAX_WEIGHT = 512 * 1024;

    private static final Backoff PAUSE = Backoff.exponential(Duration.ofMillis(50), Duration.ofSeconds(2));

    private final Supplier<String> names;
    private final BiFunction<Call, List<I>, CompletableFuture<List<A>>> send;
    private final ToIntFunction<I> weight;
    private final @Nullable Duration patience;
    private final @Nullable BiConsumer<Call, List<I>> unknown;
    private final ScheduledExecutorService scheduler;

    private final Deque<Item<I, A>> waiting = new ArrayDeque<>();
    private boolean sending;
    private String name;
    private long number;

    private record Item<I, A>(I value, CompletableFuture<A> answer, long addedNanos) {}

    /** A call that is under way. */
    private record Batch<I, A>(Call call, List<Item<I, A>> items, int attempt, boolean mayHaveRun) {

        List<I> values() {
            return items.stream().map(Item::value).toList();
        }

        Batch<I, A> repeated(boolean unknown) {
            return new Batch<>(call, items, attempt + 1, mayHaveRun || unknown);
        }
    }

    /**
     * A lane.
     *
     * @param names gives names that are unique in the fleet and were never used before
     * @param send one call; answers for each item
     * @param weight the characters an item takes
     * @param patience how long a call is tried before its items fail; null for as long as it takes
     * @param unknown told of a call that was given up and may have run, before its items fail; null if nobody asks after it
     */
    Lane(
            Supplier<String> names,
            BiFunction<Call, List<I>, CompletableFuture<List<A>>> send,
            ToIntFunction<I> weight,
            @Nullable Duration patience,
            @Nullable BiConsumer<Call, List<I>> unknown,
            ScheduledExecutorService scheduler) {
        this.names = names;
        this.name = names.get();
        this.send = send;
        this.weight = weight;
        this.patience = patience;
        this.unknown = unknown;
        this.scheduler = scheduler;
    }

    /** Sends an item; the future fails with {@link LedgerException} only. */
    CompletableFuture<A> add(I value) {
        return addAll(List.of(value)).get(0);
    }

    /** Sends items in as few calls as possible. */
    List<CompletableFuture<A>> addAll(List<I> values) {
        List<Item<I, A>> items = items(values);
        synchronized (waiting) {
            waiting.addAll(items);
        }
        sendNext(false);
        return items.stream().map(Item::answer).toList();
    }

    private List<Item<I, A>> items(List<I> values) {
        long now = System.nanoTime();
        return values.stream()
                .map(value -> new Item<>(value, new CompletableFuture<A>(), now))
                .toList();
    }

    /** Whether everything sent has been answered. */
    boolean idle() {
        synchronized (waiting) {
            return !sending && waiting.isEmpty();
        }
    }

    private void sendNext(boolean previousDone) {
        Batch<I, A> batch;
        synchronized (waiting) {
            sending = sending && !previousDone;
            if (sending || waiting.isEmpty()) {
                return;
            }
            sending = true;
            number++;
            batch = new Batch<>(new Call(name, number), take(), 1, false);
        }
        send(batch);
    }

    private List<Item<I, A>> take() {
        List<Item<I, A>> items = new ArrayList<>();
        int load = 0;
        while (!waiting.isEmpty() && items.size() < Ledger.MAX_BATCH) {
            load += weight.applyAsInt(waiting.element().value());
            if (load > MAX_WEIGHT && !items.isEmpty()) {
                break;
            }
            items.add(waiting.remove());
        }
        return items;
    }

    private void send(Batch<I, A> batch) {
        attempt(batch).whenComplete((answers, failure) -> {
            if (failure == null) {
                sendNext(true);
                answer(batch, answers);
            } else {
                failed(batch, Futures.ledgerException(failure));
            }
        });
    }

    private CompletableFuture<List<A>> attempt(Batch<I, A> batch) {
        try {
            return send.apply(batch.call(), batch.values());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static <I, A> void answer(Batch<I, A> batch, List<A> answers) {
        for (int i = 0; i < answers.size(); i++) {
            batch.items().get(i).answer().complete(answers.get(i));
        }
    }

    private void failed(Batch<I, A> batch, LedgerException failure) {
        if (worthRepeating(batch, failure) && repeatLater(batch, failure)) {
            return;
        }
        LedgerException known = batch.mayHaveRun() ? failure.afterATryThatMayHaveRun() : failure;
        if (unknown != null && known.mayHaveRun()) {
            rename();
            unknown.accept(batch.call(), batch.values());
        }
        sendNext(true);
        batch.items().forEach(item -> item.answer().completeExceptionally(known));
    }

    private void rename() {
        synchronized (waiting) {
            name = names.get();
            number = 0;
        }
    }

    private boolean repeatLater(Batch<I, A> batch, LedgerException failure) {
        Batch<I, A> again = batch.repeated(failure.kind() == LedgerException.Kind.UNKNOWN);
        long pause = PAUSE.after(batch.attempt(), ThreadLocalRandom.current()).toMillis();
        try {
            scheduler.schedule(() -> send(again), pause, TimeUnit.MILLISECONDS);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    private boolean worthRepeating(Batch<I, A> batch, LedgerException failure) {
        return switch (failure.kind()) {
            // Its caller has waited for the replicas as long as it is to, and knows what to do.
            case SHUT_DOWN, NOT_REPLICATED, GARBLED -> false;
            case REFUSED -> patience == null;
            case NOT_RUN, UNKNOWN -> patience == null || !patienceEnded(batch);
        };
    }

    private boolean patienceEnded(Batch<I, A> batch) {
        long waited = System.nanoTime() - batch.items().get(0).addedNanos();
        return patience != null && waited > patience.toNanos();
    }
}

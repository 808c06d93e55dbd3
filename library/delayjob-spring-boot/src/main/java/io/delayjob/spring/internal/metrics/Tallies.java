package io.delayjob.spring.internal.metrics;

import io.delayjob.engine.ledger.Tally;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of jobs of this node's queues, by state, for gauges. Reading a gauge asks the ledger for all queues at once, unless the
 * last answer is fresh; a reader waits for at most {@link #PATIENCE}. Thread-safe.
 */
final class Tallies {

    /** For this long, no new answer is asked for: shorter than the interval of scrapes, longer than a scrape takes. */
    private static final Duration FRESH = Duration.ofSeconds(5);

    /** For this long, an answer is shown while the ledger gives no newer one: several scrapes. */
    private static final Duration LASTS = Duration.ofSeconds(30);

    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final Collection<String> queues;
    private final Function<String, CompletableFuture<Tally>> ask;
    private final LongSupplier nanoTime;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private volatile BiConsumer<String, Tally> listener = (queue, tally) -> {};
    private CompletableFuture<?> asked = CompletableFuture.completedFuture(null);
    private long askedNanos;

    private record Answer(Tally tally, long nanos) {}

    Tallies(Collection<String> queues, Function<String, CompletableFuture<Tally>> ask, LongSupplier nanoTime) {
        this.queues = queues;
        this.ask = ask;
        this.nanoTime = nanoTime;
        this.askedNanos = nanoTime.getAsLong() - FRESH.toNanos();
    }

    /** From now on, this is told of every answer, on the thread that brings it. */
    void onAnswer(BiConsumer<String, Tally> told) {
        listener = told;
    }

    /** Returns the numbers of a queue; null if the last answer is too old. */
    @Nullable Tally of(String queue) {
        CompletableFuture<?> fresh = refresh();
        if (fresh != null) {
            await(fresh);
        }
        Answer answer = answers.get(queue);
        return answer == null || nanoTime.getAsLong() - answer.nanos() > LASTS.toNanos() ? null : answer.tally();
    }

    /** Asks the ledger, unless it was asked recently or an answer is still outstanding; then returns null. */
    private synchronized @Nullable CompletableFuture<?> refresh() {
        long now = nanoTime.getAsLong();
        if (!asked.isDone() || now - askedNanos < FRESH.toNanos()) {
            return null;
        }
        askedNanos = now;
        asked = CompletableFuture.allOf(queues.stream().map(this::ask).toArray(CompletableFuture[]::new));
        return asked;
    }

    private CompletableFuture<?> ask(String queue) {
        return ask.apply(queue)
                .thenAccept(tally -> {
                    answers.put(queue, new Answer(tally, nanoTime.getAsLong()));
                    listener.accept(queue, tally);
                })
                .exceptionally(unknown -> null);
    }

    private static void await(CompletableFuture<?> answers) {
        try {
            answers.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // The last answer is shown.
        }
    }
}

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
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How the jobs of this node's queues stand. Asked when somebody reads one of the gauges, for all gauges of all queues at once, and
 * not again for some seconds; nobody waits for longer than a moment. Thread-safe.
 */
final class Tallies {

    /** Shorter than scrapes are apart, and longer than one takes. */
    private static final Duration FRESH = Duration.ofSeconds(5);

    /** Several scrapes: after that nothing is known. */
    private static final Duration LASTS = Duration.ofSeconds(30);

    private static final Duration PATIENCE = Duration.ofMillis(200);

    private final Collection<String> queues;
    private final Function<String, CompletableFuture<Tally>> ask;
    private final LongSupplier nanoTime;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private CompletableFuture<?> asked = CompletableFuture.completedFuture(null);
    private long askedNanos;

    private record Answer(Tally tally, long nanos) {}

    Tallies(Collection<String> queues, Function<String, CompletableFuture<Tally>> ask, LongSupplier nanoTime) {
        this.queues = queues;
        this.ask = ask;
        this.nanoTime = nanoTime;
        this.askedNanos = nanoTime.getAsLong() - FRESH.toNanos();
    }

    /** Of a queue; null if the ledger did not answer of late. */
    @Nullable Tally of(String queue) {
        CompletableFuture<?> fresh = refresh();
        if (fresh != null) {
            await(fresh);
        }
        Answer answer = answers.get(queue);
        return answer == null || nanoTime.getAsLong() - answer.nanos() > LASTS.toNanos() ? null : answer.tally();
    }

    /** Asks if that was not done of late, and no answer is awaited. */
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
                .thenAccept(tally -> answers.put(queue, new Answer(tally, nanoTime.getAsLong())))
                .exceptionally(unknown -> null);
    }

    private static void await(CompletableFuture<?> answers) {
        try {
            answers.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            // What was known before is told, for a while.
        }
    }
}

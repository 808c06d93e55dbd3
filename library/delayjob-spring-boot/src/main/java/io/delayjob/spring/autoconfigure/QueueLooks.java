package io.delayjob.spring.autoconfigure;

import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.ledger.Tally;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** Looks at queues for those who look often, within a bounded time. Thread-safe. */
final class QueueLooks {

    private static final Duration KEPT = Duration.ofSeconds(1);

    /** Beyond so many, answers that are not fresh are forgotten: anybody may ask, for any name. */
    private static final int MANY = 100;

    private final Function<String, CompletableFuture<Optional<Tally>>> question;
    private final Map<String, RecentAnswer<Optional<Tally>>> asked = new ConcurrentHashMap<>();

    private QueueLooks(Function<String, CompletableFuture<Optional<Tally>>> question) {
        this.question = question;
    }

    /** Looks how the jobs stand. */
    static QueueLooks atJobs(DelayJobEngine engine) {
        return new QueueLooks(queue -> engine.tally(queue).thenApply(Optional::of));
    }

    /** Looks whether Redis answers, with no more rights than a submit needs. */
    static QueueLooks atRedis(DelayJobEngine engine) {
        return new QueueLooks(queue -> engine.reach(queue).thenApply(done -> Optional.empty()));
    }

    /** Snapshots of the queues, in their order; waits for Redis for at most that time. */
    List<QueueLook> look(Collection<String> queues, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        Map<String, CompletableFuture<Optional<Tally>>> answers = new LinkedHashMap<>();
        queues.forEach(queue -> answers.put(queue, ask(queue)));
        return answers.entrySet().stream()
                .map(answer -> look(answer.getKey(), answer.getValue(), deadline, atMost))
                .toList();
    }

    private CompletableFuture<Optional<Tally>> ask(String queue) {
        if (asked.size() >= MANY) {
            asked.values().removeIf(answer -> !answer.isFresh());
        }
        return asked.computeIfAbsent(queue, name -> new RecentAnswer<>(() -> question.apply(name), KEPT))
                .get();
    }

    private static QueueLook look(
            String queue, CompletableFuture<Optional<Tally>> answer, long deadline, Duration atMost) {
        try {
            Optional<Tally> tally = answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            return new QueueLook(queue, tally.orElse(null), null);
        } catch (TimeoutException e) {
            return new QueueLook(queue, null, "did not answer within " + atMost);
        } catch (ExecutionException e) {
            return new QueueLook(queue, null, message(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new QueueLook(queue, null, "interrupted");
        }
    }

    private static String message(ExecutionException failure) {
        Throwable cause = failure.getCause();
        return String.valueOf(cause == null ? failure : cause.getMessage());
    }
}

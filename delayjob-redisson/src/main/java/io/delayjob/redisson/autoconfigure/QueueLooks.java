package io.delayjob.redisson.autoconfigure;

import io.delayjob.redisson.internal.engine.DelayJobEngine;
import io.delayjob.redisson.internal.ledger.Tally;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Looks at queues for those who look often, within a bounded time: Redis is asked for a queue once a second at most, and never
 * while an answer is outstanding, so that looking costs it next to nothing, least of all while it is away. Thread-safe.
 */
final class QueueLooks {

    private static final long FRESH_NANOS = 1_000_000_000;

    /** Beyond so many, answers that are not fresh are forgotten: anybody may ask, for any name. */
    private static final int MANY = 100;

    private final Function<String, CompletableFuture<Optional<Tally>>> question;
    private final Map<String, Asked> asked = new ConcurrentHashMap<>();

    private record Asked(CompletableFuture<Optional<Tally>> answer, long nanos) {

        boolean isFresh() {
            return !answer.isDone() || System.nanoTime() - nanos < FRESH_NANOS;
        }
    }

    private QueueLooks(Function<String, CompletableFuture<Optional<Tally>>> question) {
        this.question = question;
    }

    /** Looks how the jobs stand. */
    static QueueLooks atJobs(DelayJobEngine engine) {
        return new QueueLooks(queue -> engine.tally(queue).thenApply(Optional::of));
    }

    /** Looks whether Redis answers, with no more rights than a submit needs. */
    static QueueLooks atRedis(DelayJobEngine engine) {
        return new QueueLooks(queue -> engine.asyncAdmin().find(queue, "any").thenApply(found -> Optional.empty()));
    }

    /** What is known of queues by the end of that time, in their order. */
    List<QueueLook> look(Collection<String> queues, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        List<Asked> answers = queues.stream().map(this::ask).toList();
        Iterator<Asked> answer = answers.iterator();
        return queues.stream()
                .map(queue -> look(queue, answer.next().answer(), deadline, atMost))
                .toList();
    }

    private Asked ask(String queue) {
        if (asked.size() >= MANY) {
            asked.values().removeIf(one -> !one.isFresh());
        }
        return asked.compute(
                queue,
                (name, last) ->
                        last != null && last.isFresh() ? last : new Asked(question.apply(name), System.nanoTime()));
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

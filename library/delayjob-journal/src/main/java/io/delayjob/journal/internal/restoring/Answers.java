package io.delayjob.journal.internal.restoring;

import io.delayjob.DelayJobException;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.LedgerException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Waits for the ledger. */
final class Answers {

    /** How long a call is repeated: the ledger may be away for a moment, or its flow log full until it is written. */
    private static final Duration REPEATED_FOR = Duration.ofSeconds(30);

    /** Longer than the client of the ledger waits. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private static final Duration FIRST_WAIT = Duration.ofMillis(100);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    private Answers() {}

    /** The answer; a failure is thrown as a {@link DelayJobException}. */
    static <T> T of(CompletableFuture<T> answer) {
        return of(answer, PATIENCE);
    }

    static <T> T of(CompletableFuture<T> answer, Duration patience) {
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof DelayJobException known
                    ? known
                    : new DelayJobException("Redis could not be asked: " + e.getMessage(), e);
        } catch (TimeoutException e) {
            throw new LedgerException(
                    LedgerException.Kind.UNKNOWN, "Redis has not answered within " + patience.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** The answer of a call that is safe to repeat; repeats it for 30 s before it fails, unless it would fail again. */
    static <T> T repeated(Supplier<CompletableFuture<T>> call) {
        long end = System.nanoTime() + REPEATED_FOR.toNanos();
        long wait = FIRST_WAIT.toMillis();
        while (true) {
            try {
                return of(call.get());
            } catch (LedgerException e) {
                if (isFinal(e) || System.nanoTime() >= end) {
                    throw e;
                }
            }
            sleep(wait);
            wait = Math.min(2 * wait, LONGEST_WAIT.toMillis());
        }
    }

    /** The answers for each of some things, once all are there. */
    static <T, A> CompletableFuture<Map<T, A>> ofEach(Collection<T> things, Function<T, CompletableFuture<A>> ask) {
        Map<T, CompletableFuture<A>> asked = things.stream().collect(Collectors.toMap(Function.identity(), ask));
        return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
                .thenApply(all -> asked.entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, answer -> answer.getValue().join())));
    }

    private static boolean isFinal(LedgerException failure) {
        return switch (failure.kind()) {
            case SHUT_DOWN, GARBLED -> true;
            case REFUSED -> !Flow.isFull(failure);
            case NOT_RUN, UNKNOWN, NOT_REPLICATED -> false;
        };
    }

    static void sleep(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static DelayJobException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new DelayJobException("interrupted while waiting for Redis; the call may be repeated", e);
    }
}

package io.delayjob.engine.internal.calls;

import io.delayjob.TooManyKeysException;
import io.delayjob.engine.ledger.LedgerException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Helpers for waiting for the ledger's answers. */
public final class Futures {

    private Futures() {}

    /** The future of a call; what the call throws becomes a failed future. */
    public static <R> CompletableFuture<R> call(Supplier<CompletableFuture<R>> call) {
        try {
            return call.get();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Waits for the answer; throws the {@link LedgerException} or the {@link TooManyKeysException} that the future fails with. */
    public static <R> R await(CompletableFuture<R> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof TooManyKeysException full) {
                throw full;
            }
            throw ledgerException(e);
        }
    }

    /** Waits for an answer or a failure; false if neither came in time. */
    public static boolean isDoneWithin(Duration limit, CompletableFuture<?> answer) throws InterruptedException {
        try {
            answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            // The failure stays in the answer, for its readers.
        }
        return true;
    }

    /** The same answer, or a failure with an unknown outcome if it has not arrived by the deadline. */
    public static <R> CompletableFuture<R> by(
            long deadlineNanos, CompletableFuture<R> answer, ScheduledExecutorService scheduler) {
        CompletableFuture<R> bounded = answer.copy();
        try {
            Future<?> end = scheduler.schedule(
                    () -> bounded.completeExceptionally(
                            new LedgerException(LedgerException.Kind.UNKNOWN, "Redis did not answer in time", null)),
                    deadlineNanos - System.nanoTime(),
                    TimeUnit.NANOSECONDS);
            var unused = bounded.whenComplete((done, failure) -> end.cancel(false));
        } catch (RejectedExecutionException e) {
            // The engine is closed, so the call itself ends soon.
        }
        return bounded;
    }

    /** The failure of a finished future; null if it has not failed. */
    public static @Nullable LedgerException failure(CompletableFuture<?> answer) {
        try {
            answer.getNow(null);
            return null;
        } catch (CompletionException e) {
            return ledgerException(e);
        }
    }

    /** The failure of the rest of a bulk, which is not sent once an earlier part has failed. */
    public static LedgerException notSentAfter(LedgerException earlier) {
        return new LedgerException(
                LedgerException.Kind.NOT_RUN,
                "it was not sent because an earlier part of the same bulk failed: " + earlier.getMessage(),
                earlier);
    }

    /** Unwraps the ledger's exception from the exceptions of futures. */
    public static LedgerException ledgerException(Throwable failure) {
        boolean wrapped = failure instanceof CompletionException || failure instanceof ExecutionException;
        Throwable cause = wrapped && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof LedgerException known
                ? known
                : new LedgerException(LedgerException.Kind.UNKNOWN, "the call failed: " + cause, cause);
    }
}

package io.delayjob.redisson.internal.engine;

import io.delayjob.redisson.internal.ledger.LedgerException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Waiting for the ledger's answers. */
final class Futures {

    private Futures() {}

    /** The answer, or the {@link LedgerException} that the future failed with. */
    static <R> R await(CompletableFuture<R> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw ledgerException(e);
        }
    }

    /** Waits until an answer or a failure is there; false if neither came in time. */
    static boolean isDoneWithin(Duration limit, CompletableFuture<?> answer) throws InterruptedException {
        try {
            answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            // is for the one who asks for the answer
        }
        return true;
    }

    /** What a finished future failed with, or null. */
    static @Nullable LedgerException failure(CompletableFuture<?> answer) {
        try {
            answer.getNow(null);
            return null;
        } catch (CompletionException e) {
            return ledgerException(e);
        }
    }

    /** The ledger's own exception, out of what the JDK wraps around it. */
    static LedgerException ledgerException(Throwable failure) {
        boolean wrapped = failure instanceof CompletionException || failure instanceof ExecutionException;
        Throwable cause = wrapped && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof LedgerException known
                ? known
                : new LedgerException(LedgerException.Kind.UNKNOWN, "the call failed: " + cause, cause);
    }
}

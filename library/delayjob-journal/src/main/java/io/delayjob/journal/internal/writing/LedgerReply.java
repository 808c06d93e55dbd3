package io.delayjob.journal.internal.writing;

import io.delayjob.engine.ledger.LedgerException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for answers of the ledger. */
final class LedgerReply {

    /** Longer than the client of the ledger waits. */
    static final long PATIENCE_SECONDS = 15;

    private LedgerReply() {}

    /**
     * The answer to a call.
     *
     * @throws RedisAway if it failed
     */
    static <T> T of(CompletableFuture<T> call) {
        try {
            return call.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new RedisAway(cause, isShutDown(cause));
        } catch (TimeoutException e) {
            throw new RedisAway(e, false);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RedisAway(e, true);
        }
    }

    private static boolean isShutDown(Throwable failure) {
        return failure instanceof LedgerException e && e.kind() == LedgerException.Kind.SHUT_DOWN;
    }
}

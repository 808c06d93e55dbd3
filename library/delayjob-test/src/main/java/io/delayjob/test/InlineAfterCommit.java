package io.delayjob.test;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Runs jobs that wait for the commit of this thread's transaction. They run on another thread, for which the commit waits: at that
 * point the transaction's connection is still bound to this thread, and work that joined the transaction would never be committed.
 */
final class InlineAfterCommit implements TransactionSynchronization {

    private final Runnable runs;

    private InlineAfterCommit(Runnable runs) {
        this.runs = runs;
    }

    static void run(Runnable runs) {
        TransactionSynchronizationManager.registerSynchronization(new InlineAfterCommit(runs));
    }

    /** After the engine's own synchronization, which sends the jobs. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public void afterCommit() {
        try {
            CompletableFuture.runAsync(runs, work -> new Thread(work, "delayjob-inline").start())
                    .join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}

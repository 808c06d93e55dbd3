package io.delayjob.engine.extension;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The transactions that submits can be part of. */
@FunctionalInterface
public interface Transactions {

    /** There are no transactions. */
    Transactions NONE = submit -> false;

    /**
     * Runs a submit after the transaction of this thread has committed, or never if it is rolled back.
     *
     * @param submit sends the jobs; the commit waits for its future and throws what it fails with
     * @return false if there is no transaction; the caller must then submit now
     */
    boolean afterCommit(Supplier<CompletableFuture<?>> submit);
}

package io.delayjob.engine.extension;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The transaction, if any, that a submit is part of. */
@FunctionalInterface
public interface Transactions {

    /** There is never one. */
    Transactions NONE = submit -> false;

    /**
     * Has a submit run when the transaction of this thread has committed, or never if it is rolled back.
     *
     * @param submit runs it; the commit waits for the future and throws what it fails with
     * @return false if there is no transaction, so that the caller is to run it now
     */
    boolean afterCommit(Supplier<CompletableFuture<?>> submit);
}

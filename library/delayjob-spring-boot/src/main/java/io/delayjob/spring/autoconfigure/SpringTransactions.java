package io.delayjob.spring.autoconfigure;

import io.delayjob.engine.extension.Transactions;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Spring's transactions of this thread. */
final class SpringTransactions implements Transactions {

    @Override
    public boolean afterCommit(Supplier<CompletableFuture<?>> submit) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            return false;
        }
        return waiting().add(submit);
    }

    /** The submits that wait for this transaction; a suspended transaction keeps its own. */
    private WaitingSubmits waiting() {
        if (TransactionSynchronizationManager.getResource(this) instanceof WaitingSubmits known) {
            return known;
        }
        WaitingSubmits waiting = new WaitingSubmits(this);
        TransactionSynchronizationManager.bindResource(this, waiting);
        TransactionSynchronizationManager.registerSynchronization(waiting);
        return waiting;
    }
}

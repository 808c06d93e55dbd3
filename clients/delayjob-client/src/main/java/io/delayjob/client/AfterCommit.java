package io.delayjob.client;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * A submit that waits for the commit of a Spring transaction, and is never sent if that, or the savepoint in which it was made, is rolled
 * back. Of one thread.
 */
final class AfterCommit implements TransactionSynchronization {

    private final Supplier<CompletableFuture<?>> submit;
    private final Set<Object> laterSavepoints = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean isRolledBack;
    private @Nullable CompletableFuture<?> sent;

    private AfterCommit(Supplier<CompletableFuture<?>> submit) {
        this.submit = submit;
    }

    static boolean register(Supplier<CompletableFuture<?>> submit) {
        boolean active = TransactionSynchronizationManager.isActualTransactionActive()
                && TransactionSynchronizationManager.isSynchronizationActive();
        if (active) {
            TransactionSynchronizationManager.registerSynchronization(new AfterCommit(submit));
        }
        return active;
    }

    @Override
    public void savepoint(Object savepoint) {
        laterSavepoints.add(savepoint);
    }

    @Override
    public void savepointRollback(Object savepoint) {
        isRolledBack |= !laterSavepoints.contains(savepoint);
    }

    /** All submits of the transaction are sent before the first is waited for. */
    @Override
    public void afterCommit() {
        TransactionSynchronizationManager.getSynchronizations().forEach(one -> {
            if (one instanceof AfterCommit other) {
                other.send();
            }
        });
        finish();
    }

    /** Sends a submit that was made after the commit, or that another synchronization's failure kept from being sent. */
    @Override
    public void afterCompletion(int status) {
        if (status == STATUS_COMMITTED && sent == null) {
            finish();
        }
    }

    private void send() {
        if (sent == null && !isRolledBack) {
            sent = submit.get();
        }
    }

    private void finish() {
        send();
        if (sent != null) {
            CallException.await(sent);
        }
    }
}

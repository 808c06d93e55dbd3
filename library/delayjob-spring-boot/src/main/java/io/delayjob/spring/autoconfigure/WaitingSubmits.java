package io.delayjob.spring.autoconfigure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The submits that wait for the commit of one transaction. Of one thread. */
final class WaitingSubmits implements TransactionSynchronization {

    private static final Logger log = LoggerFactory.getLogger(WaitingSubmits.class);

    private final Object key;
    private final List<Supplier<CompletableFuture<?>>> submits = new ArrayList<>();
    private final Map<Object, Integer> sizes = new HashMap<>();
    private boolean committed;

    /**
     * For one transaction.
     *
     * @param key the key under which the submits are bound to the thread
     */
    WaitingSubmits(Object key) {
        this.key = key;
    }

    /** Returns false if they wait no more. */
    boolean add(Supplier<CompletableFuture<?>> submit) {
        return !committed && submits.add(submit);
    }

    @Override
    public void suspend() {
        TransactionSynchronizationManager.unbindResource(key);
    }

    @Override
    public void resume() {
        TransactionSynchronizationManager.bindResource(key, this);
    }

    @Override
    public void savepoint(Object savepoint) {
        sizes.put(savepoint, submits.size());
    }

    /** A savepoint that is not known here is older than the first submit. */
    @Override
    public void savepointRollback(Object savepoint) {
        submits.subList(sizes.getOrDefault(savepoint, 0), submits.size()).clear();
    }

    @Override
    public void afterCommit() {
        committed = true;
        send();
    }

    /**
     * Sends what the commit left: another synchronization failed after the commit, before this one was asked, or a submit was the
     * transaction's first and came from one.
     */
    @Override
    public void afterCompletion(int status) {
        TransactionSynchronizationManager.unbindResourceIfPossible(key);
        if (status == STATUS_COMMITTED) {
            send();
        } else if (status == STATUS_UNKNOWN && !submits.isEmpty()) {
            log.warn("{} submits are not sent: whether their transaction was committed is not known", submits.size());
        }
    }

    /** Starts all, then waits for all. */
    private void send() {
        List<CompletableFuture<?>> started =
                submits.stream().map(WaitingSubmits::started).toList();
        submits.clear();
        RuntimeException first = null;
        for (CompletableFuture<?> submit : started) {
            RuntimeException failure = failure(submit);
            if (first == null) {
                first = failure;
            } else if (failure != null && failure != first) {
                first.addSuppressed(failure);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private static CompletableFuture<?> started(Supplier<CompletableFuture<?>> submit) {
        try {
            return submit.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static @Nullable RuntimeException failure(CompletableFuture<?> submit) {
        try {
            submit.join();
            return null;
        } catch (CompletionException e) {
            return e.getCause() instanceof RuntimeException cause ? cause : e;
        } catch (RuntimeException e) {
            return e;
        }
    }
}

package io.delayjob.journal.internal.waiting;

import io.delayjob.DelayJobException;
import io.delayjob.journal.internal.tables.Asked;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Threads that wait for the database on behalf of callers that must not. They end when they are idle. */
final class DatabaseThreads implements Executor, AutoCloseable {

    private static final int MOST_THREADS = 4;
    private static final int MOST_WAITING = 10_000;

    private final String database;
    private final AtomicInteger numbers = new AtomicInteger();
    private final ThreadPoolExecutor threads;

    /**
     * For a database.
     *
     * @param database its name, for messages
     */
    DatabaseThreads(String database) {
        this.database = database;
        this.threads = new ThreadPoolExecutor(
                MOST_THREADS,
                MOST_THREADS,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST_WAITING),
                this::thread);
        threads.allowCoreThreadTimeOut(true);
    }

    private Thread thread(Runnable work) {
        Thread thread = new Thread(work, "delayjob-journal-admin-" + numbers.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }

    /** Asks the database. The future fails with a {@link DelayJobException}. */
    <T> CompletableFuture<T> ask(Supplier<T> question) {
        try {
            return CompletableFuture.supplyAsync(() -> Asked.of(database, question), threads);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(new DelayJobException(
                    MOST_WAITING + " calls already wait for the journal's database '" + database + "', or it is closed",
                    e));
        }
    }

    @Override
    public void execute(Runnable work) {
        threads.execute(work);
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}

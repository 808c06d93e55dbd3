package io.delayjob.engine.internal.calls;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Runs the callbacks that callers add to the futures of submits and of the admin API, so that they cannot block the threads that
 * read from Redis.
 */
public final class Callbacks implements Executor, AutoCloseable {

    /*
     * Callbacks may block, and callbacks beyond the number of threads wait. If all running callbacks waited for other futures of
     * delayjob, whose callbacks need a thread here themselves, they would wait for ever. A ForkJoinPool starts a further thread
     * when one waits for a CompletableFuture while roughly fewer than THREADS others are left, so that some always make progress.
     */

    /** How many callbacks run at once. */
    static final int THREADS = 32;

    /** The most threads, including those that wait for a future. */
    static final int MOST_THREADS = 256;

    private final ExecutorService pool = new ForkJoinPool(
            THREADS, Callbacks::thread, null, true, 0, MOST_THREADS, THREADS, full -> true, 60, TimeUnit.SECONDS);

    private static ForkJoinWorkerThread thread(ForkJoinPool pool) {
        ForkJoinWorkerThread thread = new ForkJoinWorkerThread(pool) {};
        thread.setName("delayjob-callback");
        return thread;
    }

    /** Once closed, the callback runs on the calling thread. */
    @Override
    public void execute(Runnable work) {
        try {
            pool.execute(work);
        } catch (RejectedExecutionException e) {
            work.run();
        }
    }

    @Override
    public void close() {
        pool.shutdown();
    }
}

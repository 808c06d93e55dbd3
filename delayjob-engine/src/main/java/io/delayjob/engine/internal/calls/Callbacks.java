package io.delayjob.engine.internal.calls;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** Runs what callers hang on the futures of submits and of the admin, so that it cannot block the threads that read from Redis. */
public final class Callbacks implements Executor, AutoCloseable {

    /* What hangs on a future may block: more of it than there are threads waits. If all of them waited for other futures of
     * delayjob, which need a thread here themselves, they would wait for ever. A ForkJoinPool has another thread take over when one
     * waits for a CompletableFuture while fewer than THREADS others are left, roughly: some always go on. */

    /** How many run at once. */
    static final int THREADS = 32;

    /** How many there are, with those that wait for a future. */
    static final int MOST_THREADS = 256;

    private final ExecutorService pool = new ForkJoinPool(
            THREADS, Callbacks::thread, null, true, 0, MOST_THREADS, THREADS, full -> true, 60, TimeUnit.SECONDS);

    private static ForkJoinWorkerThread thread(ForkJoinPool pool) {
        ForkJoinWorkerThread thread = new ForkJoinWorkerThread(pool) {};
        thread.setName("delayjob-callback");
        return thread;
    }

    /** Once closed, the thread that has the answer goes on by itself. */
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

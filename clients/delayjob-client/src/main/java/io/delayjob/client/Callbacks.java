package io.delayjob.client;

import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;

/** Reads answers and runs what callers hang on futures, which may block: if such threads wait for other futures, further ones start. */
final class Callbacks {

    private static final int THREADS = 32;
    private static final int MOST_THREADS = 256;

    static final Executor EXECUTOR = new ForkJoinPool(
            THREADS, Callbacks::thread, null, true, 0, MOST_THREADS, THREADS, full -> true, 60, TimeUnit.SECONDS);

    private Callbacks() {}

    private static ForkJoinWorkerThread thread(ForkJoinPool pool) {
        ForkJoinWorkerThread thread = new ForkJoinWorkerThread(pool) {};
        thread.setName("delayjob-client");
        return thread;
    }
}

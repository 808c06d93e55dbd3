package io.delayjob.engine.extension;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Where the beans run. */
public interface WorkerThreads {

    /** Platform threads. */
    WorkerThreads PLATFORM = (queue, concurrency) -> {
        AtomicInteger number = new AtomicInteger();
        return pool(concurrency, work -> {
            Thread thread = new Thread(work, namePrefix(queue) + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    };

    /** The workers of a queue on this node: at most {@code concurrency} at once, what comes beyond that waits. */
    Executor open(String queue, int concurrency);

    /**
     * As many threads as run at once. Idle ones end by themselves, so that nobody need shut them down.
     *
     * @param threads also for virtual ones, which bound nothing by themselves
     */
    static Executor pool(int concurrency, ThreadFactory threads) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                concurrency, concurrency, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** What the names of a queue's worker threads begin with. */
    static String namePrefix(String queue) {
        return "delayjob-" + queue + "-worker-";
    }
}

package io.delayjob.engine.extension;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes the threads on which beans and listeners run. */
public interface WorkerThreads {

    /** Uses platform threads. */
    WorkerThreads PLATFORM = (queue, concurrency) -> {
        AtomicInteger number = new AtomicInteger();
        return pool(concurrency, work -> {
            Thread thread = new Thread(work, namePrefix(queue) + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    };

    /** The workers of a queue on this node. At most {@code concurrency} tasks run at once; more tasks wait. */
    Executor open(String queue, int concurrency);

    /**
     * A pool of at most {@code concurrency} threads. Idle threads end after 10 s, so that the pool needs no shutdown.
     *
     * @param threads makes the threads; may make virtual ones, because the pool bounds their number
     */
    static Executor pool(int concurrency, ThreadFactory threads) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                concurrency, concurrency, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** The prefix of the names of a queue's worker threads. */
    static String namePrefix(String queue) {
        return "delayjob-" + queue + "-worker-";
    }
}

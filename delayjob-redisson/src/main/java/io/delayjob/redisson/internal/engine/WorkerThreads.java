package io.delayjob.redisson.internal.engine;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Where the beans run. */
public interface WorkerThreads {

    /** Platform threads, as many as run at once; idle ones end after a minute. */
    WorkerThreads PLATFORM = (queue, concurrency) -> {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                concurrency,
                concurrency,
                Duration.ofMinutes(1).toSeconds(),
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                work -> new Thread(work, threadName(queue) + number.incrementAndGet()));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    };

    /** The workers of a queue on this node; the engine asks for no more than {@code concurrency} at once and shuts it down. */
    ExecutorService open(String queue, int concurrency);

    /** What the names of a queue's worker threads begin with. */
    static String threadName(String queue) {
        return "delayjob-" + queue + "-worker-";
    }
}

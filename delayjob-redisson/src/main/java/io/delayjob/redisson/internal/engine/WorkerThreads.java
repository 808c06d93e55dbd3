package io.delayjob.redisson.internal.engine;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Where the beans run. */
public interface WorkerThreads {

    /** Platform threads, as many as run at once. Idle ones end by themselves, so that nobody need shut them down. */
    WorkerThreads PLATFORM = (queue, concurrency) -> {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                concurrency, concurrency, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread thread = new Thread(work, namePrefix(queue) + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
        return pool;
    };

    /** The workers of a queue on this node; the engine asks for no more than {@code concurrency} at once. */
    Executor open(String queue, int concurrency);

    /** What the names of a queue's worker threads begin with. */
    static String namePrefix(String queue) {
        return "delayjob-" + queue + "-worker-";
    }
}

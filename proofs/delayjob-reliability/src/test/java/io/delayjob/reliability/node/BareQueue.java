package io.delayjob.reliability.node;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RBlockingQueue;
import org.redisson.api.RDelayedQueue;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Delayed jobs by Redisson alone, as its documentation and the usual tutorials have them: an {@link RDelayedQueue} in front of
 * an {@link RBlockingQueue}, and threads that take. What they take goes to a {@link Journal}.
 */
@SuppressWarnings("deprecation")
public final class BareQueue implements AutoCloseable {

    private final RedissonClient redisson;
    private final Journal journal;
    private final Duration work;
    private final List<Thread> takers = new CopyOnWriteArrayList<>();

    /**
     * A client of a Redis.
     *
     * @param work how long its threads work on an element
     */
    public BareQueue(String url, Path journal, Duration work) {
        Config config = new Config();
        config.useSingleServer().setAddress(url);
        this.redisson = Redisson.create(config);
        this.journal = new Journal(journal);
        this.work = work;
    }

    /** The client below. */
    public RedissonClient redisson() {
        return redisson;
    }

    /** The delayed queue in front of the queue of that name; while it lives, this client moves what is due. */
    public RDelayedQueue<String> delayed(String name) {
        return redisson.getDelayedQueue(redisson.getBlockingQueue(name));
    }

    /** Starts a thread that takes, and goes on whatever a take throws. */
    public void startTaker(String name) {
        RBlockingQueue<String> queue = redisson.getBlockingQueue(name);
        start(() -> {
            while (!redisson.isShuttingDown()) {
                try {
                    handle(queue.take());
                } catch (InterruptedException e) {
                    return;
                } catch (RuntimeException e) {
                    journal.write(Journal.Kind.FAILED, name, 0, 0);
                }
            }
        });
    }

    /** Starts a thread that takes, with no more care than {@code take} asks for by what it declares. */
    public void startPlainTaker(String name) {
        RBlockingQueue<String> queue = redisson.getBlockingQueue(name);
        start(() -> {
            while (true) {
                try {
                    handle(queue.take());
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
    }

    private void start(Runnable loop) {
        Thread taker = new Thread(loop, "taker");
        taker.setDaemon(true);
        taker.setUncaughtExceptionHandler((thread, end) -> journal.write(Journal.Kind.STOPPED, "taker", 0, 0));
        takers.add(taker);
        taker.start();
    }

    private void handle(String id) throws InterruptedException {
        journal.write(Journal.Kind.BEGUN, id, 0, 0);
        TimeUnit.NANOSECONDS.sleep(work.toNanos());
        journal.write(Journal.Kind.ENDED, id, 0, 0);
    }

    /** Interrupts the threads and waits for their end, as the shutdown of an executor does. */
    public void stopTakers() {
        takers.forEach(Thread::interrupt);
        takers.forEach(BareQueue::join);
        takers.clear();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Ends the threads and the client. */
    @Override
    public void close() {
        stopTakers();
        redisson.shutdown();
    }
}

package io.delayjob.redisson.internal.redis;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens and closes the delayed queues of a client on one thread, because both wait for Redis, and limits their number. Each takes
 * one of the client's channels, half of which are left to the application. Thread-safe.
 */
final class DoorbellThread {

    private static final Logger log = LoggerFactory.getLogger(DoorbellThread.class);

    private final ClientSize size;
    private final Scripts scripts;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicBoolean full = new AtomicBoolean();
    private final AtomicBoolean failing = new AtomicBoolean();
    private final ThreadPoolExecutor thread;

    DoorbellThread(ClientSize size, Scripts scripts) {
        this.size = size;
        this.scripts = scripts;
        this.thread = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
            Thread doorbells = new Thread(work, "delayjob-doorbells");
            doorbells.setDaemon(true);
            return doorbells;
        });
        thread.allowCoreThreadTimeOut(true);
    }

    /** Opens a delayed queue on the thread; false if the limit is reached. */
    boolean open(Runnable opening) {
        if (open.incrementAndGet() > most()) {
            open.decrementAndGet();
            sayFull();
            return false;
        }
        thread.execute(() -> tryToOpen(opening));
        return true;
    }

    private void tryToOpen(Runnable opening) {
        try {
            opening.run();
            failing.set(false);
        } catch (RuntimeException e) {
            open.decrementAndGet();
            if (!failing.getAndSet(true)) {
                log.warn(
                        "an RDelayedQueue could not be opened; it is tried again, and a timer of this node rings until then: {}",
                        scripts.explain("doorbell", e).getMessage());
            }
        }
    }

    /** Closes a delayed queue on the thread. */
    void close(Runnable closing) {
        thread.execute(() -> {
            open.decrementAndGet();
            try {
                closing.run();
            } catch (RuntimeException e) {
                log.debug("a delayed queue could not be closed", e);
            }
        });
    }

    private int most() {
        return Math.max(1, size.channels() / 2);
    }

    private void sayFull() {
        if (!full.getAndSet(true)) {
            log.info(
                    "this node uses RDelayedQueues for the doorbells of {} shards, because they may take half of the {} channels"
                            + " of its client, and a timer of its own for the others. For more RDelayedQueues, set"
                            + " subscriptionConnectionPoolSize to {} for each 100 shards",
                    most(),
                    size.channels(),
                    size.channelConnectionsFor(200));
        }
    }
}

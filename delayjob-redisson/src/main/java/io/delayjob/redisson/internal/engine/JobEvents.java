package io.delayjob.redisson.internal.engine;

import io.delayjob.JobEvent;
import io.delayjob.spi.JobEventListener;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the application's listeners what happened to jobs. Costs nothing where nobody listens. Thread-safe. */
public final class JobEvents {

    private static final Logger log = LoggerFactory.getLogger(JobEvents.class);
    private static final int MOST_WAITING = 10_000;

    private final List<JobEventListener> listeners;
    private final BooleanSupplier heard;
    private final Executor delivery;
    private final AtomicLong dropped = new AtomicLong();

    private JobEvents(List<JobEventListener> listeners, BooleanSupplier heard, Executor delivery) {
        this.listeners = List.copyOf(listeners);
        this.heard = heard;
        this.delivery = delivery;
    }

    /**
     * Delivered one after the other on a thread of their own, which ends by itself when nothing happens.
     *
     * @param heard whether the listeners want events now
     */
    public static JobEvents onOwnThread(List<JobEventListener> listeners, BooleanSupplier heard) {
        ThreadPoolExecutor thread =
                new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING), work -> {
                    Thread events = new Thread(work, "delayjob-events");
                    events.setDaemon(true);
                    return events;
                });
        thread.allowCoreThreadTimeOut(true);
        return new JobEvents(listeners, heard, thread);
    }

    /** Delivered on the thread on which they happen. */
    public static JobEvents onCallersThread(List<JobEventListener> listeners) {
        return new JobEvents(listeners, () -> true, Runnable::run);
    }

    void publish(Supplier<? extends JobEvent> event) {
        if (listeners.isEmpty() || !heard.getAsBoolean()) {
            return;
        }
        JobEvent happened = event.get();
        try {
            delivery.execute(() -> tell(listeners, happened));
        } catch (RejectedExecutionException e) {
            long count = dropped.incrementAndGet();
            if (Long.bitCount(count) == 1) {
                log.warn("{} job events so far were dropped: the listeners are slower than the jobs", count);
            }
        }
    }

    /** Hands an event to listeners, one after the other; what one throws is logged and kept from the others. */
    public static void tell(List<JobEventListener> listeners, JobEvent event) {
        for (JobEventListener listener : listeners) {
            try {
                listener.onEvent(event);
            } catch (RuntimeException | Error e) {
                log.warn("{} failed at {} of job {}", listener, event.getClass().getSimpleName(), event.id(), e);
            }
        }
    }
}

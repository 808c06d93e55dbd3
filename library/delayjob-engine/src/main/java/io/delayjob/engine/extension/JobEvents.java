package io.delayjob.engine.extension;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toUnmodifiableMap;
import static java.util.stream.Collectors.toUnmodifiableSet;

import io.delayjob.JobEvent;
import io.delayjob.spi.JobEventListener;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers job events to the application's listeners, in the order in which they happened. Each kind of event has a limit of its
 * own for waiting events, so that a flood of one kind leaves room for the others. An {@link EventTap} hears of them first. Costs nothing
 * if nobody listens. Thread-safe.
 */
public final class JobEvents {

    /** All kinds of events. */
    public static final Set<Class<? extends JobEvent>> KINDS =
            kinds(JobEvent.class).collect(toUnmodifiableSet());

    private static final Logger log = LoggerFactory.getLogger(JobEvents.class);
    private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

    private final List<JobEventListener> listeners;
    private final Predicate<Class<? extends JobEvent>> heard;
    private final Executor delivery;
    private final EventTap tap;
    private final Map<Class<? extends JobEvent>, EventRoom> rooms =
            KINDS.stream().collect(toUnmodifiableMap(Function.identity(), kind -> new EventRoom()));
    private final AtomicLong loggedNanos = new AtomicLong(System.nanoTime() - QUIET_NANOS);

    private JobEvents(
            List<JobEventListener> listeners,
            Predicate<Class<? extends JobEvent>> heard,
            Executor delivery,
            EventTap tap) {
        this.listeners = List.copyOf(listeners);
        this.heard = heard;
        this.delivery = delivery;
        this.tap = tap;
    }

    private static Stream<Class<? extends JobEvent>> kinds(Class<?> type) {
        Class<?>[] parts = type.getPermittedSubclasses();
        return parts == null
                ? Stream.of(type.asSubclass(JobEvent.class))
                : Stream.of(parts).flatMap(JobEvents::kinds);
    }

    /**
     * Delivers events one at a time on a thread of its own, which ends after 10 s without an event.
     *
     * @param heard whether any listener wants events of a kind at the moment
     */
    public static JobEvents onOwnThread(List<JobEventListener> listeners, Predicate<Class<? extends JobEvent>> heard) {
        return onOwnThread(listeners, heard, EventTap.NONE);
    }

    /**
     * The same, beside a tap.
     *
     * @param tap hears of every event before it waits for the listeners
     */
    public static JobEvents onOwnThread(
            List<JobEventListener> listeners, Predicate<Class<? extends JobEvent>> heard, EventTap tap) {
        ThreadPoolExecutor thread =
                new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    Thread events = new Thread(work, "delayjob-events");
                    events.setDaemon(true);
                    return events;
                });
        thread.allowCoreThreadTimeOut(true);
        return new JobEvents(listeners, heard, thread, tap);
    }

    /** Delivers events on the thread on which they happen. */
    public static JobEvents onCallersThread(List<JobEventListener> listeners) {
        return new JobEvents(listeners, kind -> true, Runnable::run, EventTap.NONE);
    }

    public <E extends JobEvent> void publish(Class<E> kind, Supplier<? extends E> event) {
        boolean tapped = tap.wants(kind);
        boolean delivered = !listeners.isEmpty() && heard.test(kind) && enter(kind);
        if (tapped || delivered) {
            E happened = event.get();
            if (tapped) {
                tap.take(happened);
            }
            if (delivered) {
                deliver(kind, happened);
            }
        }
    }

    /** This node changed a queue. It is no event of a job, so only the tap hears of it. */
    public void changed(QueueChange change) {
        tap.changed(change);
    }

    private boolean enter(Class<? extends JobEvent> kind) {
        boolean entered = room(kind).enter();
        if (!entered) {
            logDropped();
        }
        return entered;
    }

    private void deliver(Class<? extends JobEvent> kind, JobEvent happened) {
        delivery.execute(() -> {
            room(kind).leave();
            tell(listeners, happened);
        });
    }

    /** How many events of a kind have been dropped so far because the listeners are too slow. */
    public long dropped(Class<? extends JobEvent> kind) {
        return room(kind).dropped();
    }

    private EventRoom room(Class<? extends JobEvent> kind) {
        return Objects.requireNonNull(rooms.get(kind), kind.getName());
    }

    private void logDropped() {
        long now = System.nanoTime();
        long logged = loggedNanos.get();
        if (now - logged >= QUIET_NANOS && loggedNanos.compareAndSet(logged, now)) {
            log.warn("job events are dropped because the listeners are too slow; dropped so far: {}", dropped());
        }
    }

    private String dropped() {
        return rooms.entrySet().stream()
                .filter(kind -> kind.getValue().dropped() > 0)
                .map(kind -> kind.getValue().dropped() + " " + kind.getKey().getSimpleName())
                .sorted(Comparator.naturalOrder())
                .collect(joining(", "));
    }

    /** Hands an event to the listeners, one at a time. What a listener throws is logged and does not affect the others. */
    public static void tell(List<JobEventListener> listeners, JobEvent event) {
        for (JobEventListener listener : listeners) {
            try {
                listener.onEvent(event);
            } catch (RuntimeException | Error e) {
                log.warn("{} failed on {} of job {}", listener, event.getClass().getSimpleName(), event.id(), e);
            }
        }
    }
}

package io.delayjob.delivery.internal.running;

import io.delayjob.DelayJobClaims;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.internal.binding.Bindings;
import io.delayjob.delivery.internal.binding.Bound;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The couriers of this node: one for each topic that is bound and open. Follows the bindings. Thread-safe. */
public final class Couriers {

    private static final Logger log = LoggerFactory.getLogger(Couriers.class);
    private static final long LOOK_MILLIS = 500;

    private final Bindings bindings;
    private final DelayJobClaims claims;
    private final Duration obstacleTimeout;
    private final Sightings sightings;
    private final Duration shutdownTimeout;
    private final boolean delivers;
    private final CallObserver observer;
    private final Map<String, Courier> byTopic = new HashMap<>();

    /** Stopped couriers whose calls are under way: those of the next one to the same target count with them. */
    private final Map<String, Courier> stopped = new HashMap<>();

    private final Map<String, Long> notedNanos = new HashMap<>();
    private @Nullable ScheduledExecutorService timer;
    private @Nullable ScheduledExecutorService looks;
    private boolean redisAway;

    /**
     * Couriers that have not started.
     *
     * @param delivers whether this node delivers; otherwise it only follows the bindings
     * @param obstacleTimeout how long jobs wait for a target that nothing can be delivered to before they are dead
     * @param sightings which targets some node can deliver to
     * @param shutdownTimeout how long calls may take to end when this node stops
     * @param observer is told what becomes of calls
     */
    public Couriers(
            Bindings bindings,
            DelayJobClaims claims,
            boolean delivers,
            Duration obstacleTimeout,
            Sightings sightings,
            Duration shutdownTimeout,
            CallObserver observer) {
        this.bindings = bindings;
        this.claims = claims;
        this.delivers = delivers;
        this.obstacleTimeout = obstacleTimeout;
        this.sightings = sightings;
        this.shutdownTimeout = shutdownTimeout;
        this.observer = observer;
    }

    /** Follows the bindings, and delivers. */
    public synchronized void start() {
        if (looks == null) {
            timer = thread("delayjob-delivery");
            looks = thread("delayjob-bindings");
            bindings.useConfigured();
            looks.scheduleWithFixedDelay(this::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private static ScheduledExecutorService thread(String name) {
        return Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    private void look() {
        try {
            boolean unused = bindings.refresh();
            note();
            redisAway = false;
        } catch (RuntimeException e) {
            if (!redisAway) {
                redisAway = true;
                log.warn(
                        "the bindings of topics cannot be read; those that are known stay in force: {}",
                        e.getMessage());
            }
        }
        try {
            follow();
        } catch (RuntimeException e) {
            log.error("the bindings of topics could not be followed; it is tried again", e);
        }
    }

    /** Notes the topics that this node can deliver to, as soon as it can and again before the note is over. */
    private void note() {
        List<String> reachable = reachable();
        long now = System.nanoTime();
        long period = sightings.period().toNanos();
        notedNanos.keySet().retainAll(reachable);
        List<String> due = reachable.stream()
                .filter(topic -> !notedNanos.containsKey(topic) || now - notedNanos.get(topic) >= period)
                .toList();
        if (!due.isEmpty()) {
            sightings.note(due);
            due.forEach(topic -> notedNanos.put(topic, now));
        }
    }

    private synchronized List<String> reachable() {
        return byTopic.entrySet().stream()
                .filter(courier -> courier.getValue().isReachable())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Starts and stops couriers so that they are those of the bindings. */
    public synchronized void follow() {
        ScheduledExecutorService timing = timer;
        if (!delivers || timing == null) {
            return;
        }
        Map<String, Bound> all = bindings.all();
        observer.bound(all.keySet());
        byTopic.values().removeIf(courier -> {
            Bound now = all.get(courier.binding().topic());
            boolean over = now == null || !now.isOpen() || !courier.serves(now);
            if (over) {
                var unused = courier.stop();
                stopped.put(courier.binding().topic(), courier);
            }
            return over;
        });
        stopped.values().removeIf(courier -> courier.underWay() == 0);
        all.forEach((topic, bound) -> {
            if (bound.isOpen() && bound.transport() != null && !byTopic.containsKey(topic)) {
                Courier courier = new Courier(
                        bound,
                        bound.transport(),
                        claims,
                        timing,
                        obstacleTimeout,
                        sightings,
                        this::gone,
                        observer,
                        stoppedBefore(bound.binding()));
                byTopic.put(topic, courier);
                courier.claim();
            }
        });
        byTopic.values().forEach(Courier::look);
    }

    private @Nullable Courier stoppedBefore(Binding binding) {
        Courier before = stopped.remove(binding.topic());
        return before != null && before.binding().target().equals(binding.target()) ? before : null;
    }

    private void gone(Binding binding, String why) {
        ScheduledExecutorService looking;
        synchronized (this) {
            looking = looks;
            Courier courier = byTopic.get(binding.topic());
            if (courier != null && courier.binding().equals(binding)) {
                var unused = courier.stop();
            }
        }
        if (looking != null) {
            looking.execute(() -> close(binding, why));
        }
    }

    private void close(Binding binding, String why) {
        try {
            bindings.close(binding, "its target is gone: " + why);
            follow();
        } catch (RuntimeException e) {
            log.error("topic '{}' could not be unbound; its target is called again", binding.topic(), e);
            synchronized (this) {
                byTopic.remove(binding.topic());
            }
        }
    }

    /** Why the target of a topic gets nothing from this node now; empty if it does, or if this node does not deliver there. */
    public synchronized Optional<String> held(String topic) {
        return Optional.ofNullable(byTopic.get(topic)).map(Courier::held);
    }

    /** How many jobs this node has on their way to the target of a topic. */
    public synchronized int underWay(String topic) {
        Courier courier = byTopic.get(topic);
        return courier == null ? 0 : courier.underWay();
    }

    /** Claims nothing more, and waits for the calls under way. */
    public void stop() {
        List<CompletableFuture<Void>> ends;
        ScheduledExecutorService timing;
        synchronized (this) {
            if (looks == null) {
                return;
            }
            looks.shutdownNow();
            looks = null;
            timing = timer;
            timer = null;
            ends = Stream.of(byTopic, stopped)
                    .flatMap(couriers -> couriers.values().stream())
                    .map(Courier::stop)
                    .toList();
            byTopic.clear();
            stopped.clear();
        }
        await(CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)));
        if (timing != null) {
            timing.shutdownNow();
        }
    }

    private void await(CompletableFuture<Void> end) {
        try {
            end.get(shutdownTimeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            log.warn(
                    "calls to targets did not end within {}: their jobs are delivered again when their leases end",
                    shutdownTimeout);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    public synchronized boolean isRunning() {
        return looks != null;
    }
}

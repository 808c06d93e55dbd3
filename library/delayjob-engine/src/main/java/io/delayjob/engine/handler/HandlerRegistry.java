package io.delayjob.engine.handler;

import io.delayjob.engine.settings.ConsumedQueue;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of this node: beans and listeners. Only these run jobs: no class is ever loaded by a name from Redis. They are
 * looked up at first use, because a bean that runs jobs may itself submit jobs. Thread-safe.
 */
public final class HandlerRegistry {

    private final Supplier<? extends Collection<Handler>> source;
    private volatile @Nullable Beans beans;

    private record Beans(
            Map<String, Handler> byName,
            Map<Class<?>, Handler> byClass,
            Map<String, ConsumedQueue> listeners,
            List<ConsumedQueue> consumed) {}

    /** Creates a registry of the handlers from {@code source}, which must have distinct names, classes and listener ids. */
    public HandlerRegistry(Supplier<? extends Collection<Handler>> source) {
        this.source = source;
    }

    private Beans beans() {
        Beans known = beans;
        return known == null ? refresh() : known;
    }

    /** Looks up the handlers again: until all beans are created, only the declared type of a bean may be known. */
    public void check() {
        refresh();
    }

    private Beans refresh() {
        Beans found = index(source.get());
        beans = found;
        return found;
    }

    private static Beans index(Collection<Handler> jobs) {
        Map<String, Handler> byName = new TreeMap<>();
        Map<Class<?>, Handler> byClass = new HashMap<>();
        Map<String, ConsumedQueue> listeners = new TreeMap<>();
        for (Handler job : jobs) {
            byName.put(job.name(), job);
            if (job.jobClass() != null) {
                byClass.put(job.jobClass(), job);
            }
            if (job.consumed() != null && job.consumed().listener() != null) {
                listeners.put(job.consumed().listener(), job.consumed());
            }
        }
        List<ConsumedQueue> consumed =
                jobs.stream().flatMap(job -> Stream.ofNullable(job.consumed())).toList();
        return new Beans(byName, byClass, listeners, consumed);
    }

    /** The handler with a name; empty if this node has none. */
    public Optional<Handler> named(String name) {
        return Optional.ofNullable(beans().byName().get(name));
    }

    /** The handler of a bean class. */
    public Handler of(Class<?> jobClass) {
        Handler job = beans().byClass().get(jobClass);
        if (job == null) {
            throw new IllegalArgumentException("no DelayJob bean of class " + jobClass.getName()
                    + " in this application; make it a Spring bean, or submit one of " + names());
        }
        return job;
    }

    /** The names of all handlers, sorted. */
    public Set<String> names() {
        return Collections.unmodifiableSet(beans().byName().keySet());
    }

    /** The queues that beans and listeners consume. */
    public List<ConsumedQueue> consumed() {
        return beans().consumed();
    }

    /** The schedules that beans and listeners declare. */
    public List<DeclaredSchedule> schedules() {
        return beans().byName().values().stream()
                .flatMap(job -> Stream.ofNullable(job.recurring()))
                .toList();
    }

    /** The queues that listeners consume, by the listeners' ids. */
    public Map<String, ConsumedQueue> listeners() {
        return Collections.unmodifiableMap(beans().listeners());
    }
}

package io.delayjob.engine.handler;

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
 * The beans and listeners of this node that run jobs. A name that is not in here runs nothing: no class is ever loaded by a name from Redis.
 * Looked up at first use, because a bean that runs jobs may itself submit some. Thread-safe.
 */
public final class JobRegistry {

    private final Supplier<? extends Collection<RegisteredJob>> source;
    private volatile @Nullable Beans beans;

    private record Beans(
            Map<String, RegisteredJob> byName,
            Map<Class<?>, RegisteredJob> byClass,
            Map<String, ListenedQueue> listeners,
            List<ListenedQueue> listened) {}

    /** Of what {@code source} finds, no two of one name, class or listener's id. */
    public JobRegistry(Supplier<? extends Collection<RegisteredJob>> source) {
        this.source = source;
    }

    private Beans beans() {
        Beans known = beans;
        return known == null ? refresh() : known;
    }

    /** Looks the beans up anew: before all of them are made, a bean's class may be known by its declared type only. */
    public void check() {
        refresh();
    }

    private Beans refresh() {
        Beans found = index(source.get());
        beans = found;
        return found;
    }

    private static Beans index(Collection<RegisteredJob> jobs) {
        Map<String, RegisteredJob> byName = new TreeMap<>();
        Map<Class<?>, RegisteredJob> byClass = new HashMap<>();
        Map<String, ListenedQueue> listeners = new TreeMap<>();
        for (RegisteredJob job : jobs) {
            byName.put(job.name(), job);
            if (job.jobClass() != null) {
                byClass.put(job.jobClass(), job);
            }
            if (job.listened() != null && job.listened().listener() != null) {
                listeners.put(job.listened().listener(), job.listened());
            }
        }
        List<ListenedQueue> listened =
                jobs.stream().flatMap(job -> Stream.ofNullable(job.listened())).toList();
        return new Beans(byName, byClass, listeners, listened);
    }

    /** The bean a record names. */
    public Optional<RegisteredJob> named(String name) {
        return Optional.ofNullable(beans().byName().get(name));
    }

    /** The bean of a class. */
    public RegisteredJob of(Class<?> jobClass) {
        RegisteredJob job = beans().byClass().get(jobClass);
        if (job == null) {
            throw new IllegalArgumentException("no DelayJob bean of class " + jobClass.getName()
                    + " in this application; make it a Spring bean, or submit one of " + names());
        }
        return job;
    }

    /** The names, in order. */
    public Set<String> names() {
        return Collections.unmodifiableSet(beans().byName().keySet());
    }

    /** The queues that beans and listeners are for. */
    public List<ListenedQueue> listened() {
        return beans().listened();
    }

    /** The queues that listeners are for, by the listeners' ids. */
    public Map<String, ListenedQueue> listeners() {
        return Collections.unmodifiableMap(beans().listeners());
    }
}

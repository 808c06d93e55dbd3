package io.delayjob.redisson.internal.engine;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The beans of this node that run jobs. A name that is not in here runs nothing: no class is ever loaded by a name from Redis.
 * Looked up at first use, because a bean that runs jobs may itself submit some. Thread-safe.
 */
public final class JobRegistry {

    private final Supplier<? extends Collection<RegisteredJob>> source;
    private volatile @Nullable Beans beans;

    private record Beans(Map<String, RegisteredJob> byName, Map<Class<?>, RegisteredJob> byClass) {}

    /** Of the beans that {@code source} finds, no two of one name or class. */
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
        return new Beans(
                jobs.stream().collect(Collectors.toMap(RegisteredJob::name, Function.identity())),
                jobs.stream().collect(Collectors.toMap(RegisteredJob::jobClass, Function.identity())));
    }

    /** The bean a record names. */
    Optional<RegisteredJob> named(String name) {
        return Optional.ofNullable(beans().byName().get(name));
    }

    /** The bean of a class. */
    RegisteredJob of(Class<?> jobClass) {
        RegisteredJob job = beans().byClass().get(jobClass);
        if (job == null) {
            throw new IllegalArgumentException("no DelayJob bean of class " + jobClass.getName()
                    + " in this application; make it a Spring bean, or submit one of " + names());
        }
        return job;
    }

    /** The names, in order. */
    public Collection<String> names() {
        return new TreeSet<>(beans().byName().keySet());
    }
}

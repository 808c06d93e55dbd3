package io.delayjob.redisson.internal.engine;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** The beans of this node that run jobs. A name that is not in here runs nothing: no class is ever loaded by a name from Redis. */
public final class JobRegistry {

    private final Map<String, RegisteredJob> byName = new HashMap<>();
    private final Map<Class<?>, RegisteredJob> byClass = new HashMap<>();

    /** Of these beans. */
    public JobRegistry(Collection<RegisteredJob> jobs) {
        jobs.forEach(this::add);
    }

    private void add(RegisteredJob job) {
        RegisteredJob other = byName.putIfAbsent(job.name(), job);
        if (other != null) {
            throw new IllegalArgumentException("two DelayJob beans share the name '" + job.name() + "': "
                    + other.jobClass().getName() + " and " + job.jobClass().getName()
                    + "; keep one bean of a class, and give each @DelayJobName once");
        }
        byClass.put(job.jobClass(), job);
    }

    /** The bean a record names. */
    Optional<RegisteredJob> named(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** The bean of a class. */
    RegisteredJob of(Class<?> jobClass) {
        RegisteredJob job = byClass.get(jobClass);
        if (job == null) {
            throw new IllegalArgumentException("no DelayJob bean of class " + jobClass.getName()
                    + " in this application; make it a Spring bean, or submit one of " + names());
        }
        return job;
    }

    /** The names, in order. */
    public Collection<String> names() {
        return new TreeSet<>(byName.keySet());
    }
}

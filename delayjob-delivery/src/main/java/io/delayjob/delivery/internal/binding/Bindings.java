package io.delayjob.delivery.internal.binding;

import io.delayjob.delivery.Binding;
import io.delayjob.delivery.BindingStatus.Origin;
import io.delayjob.delivery.DelayJobTargets;
import io.delayjob.delivery.spi.Transport;
import io.delayjob.support.Checks;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which topic is bound to what on this node: properties and beans, and over them what Redis has. Thread-safe. */
public final class Bindings {

    private static final Logger log = LoggerFactory.getLogger(Bindings.class);

    /** Even if the number of changes is the same, because a node may die between a change and its count. */
    private static final long READ_ALL_NANOS = 10_000_000_000L;

    private final Map<String, Configured> configured;
    private final BindingStore store;
    private final Transports transports;
    private final Supplier<Set<String>> consumedQueues;
    private Map<String, StoredBinding> stored = Map.of();
    private @Nullable Long version;
    private long readNanos;
    private volatile SortedMap<String, Bound> all = Collections.emptySortedMap();

    /**
     * A binding of a property or bean.
     *
     * @param origin which of both
     */
    public record Configured(Binding binding, Origin origin) {}

    /**
     * Bindings that are not read yet.
     *
     * @param configured by property and bean
     * @param consumedQueues the queues whose jobs beans and listeners of this application run
     */
    public Bindings(
            Map<String, Configured> configured,
            BindingStore store,
            Transports transports,
            Supplier<Set<String>> consumedQueues) {
        this.configured = Map.copyOf(configured);
        this.store = store;
        this.transports = transports;
        this.consumedQueues = consumedQueues;
    }

    /** All as they were last read, by topic. */
    public SortedMap<String, Bound> all() {
        return all;
    }

    /** Uses properties and beans alone, until Redis is read. */
    public synchronized void useConfigured() {
        merge();
    }

    /** Reads what has changed in Redis; false if nothing has. */
    public synchronized boolean refresh() {
        long now = store.version();
        if (version != null && version == now && System.nanoTime() - readNanos < READ_ALL_NANOS) {
            return false;
        }
        Map<String, StoredBinding> read = store.all();
        boolean changed = version == null || !read.equals(stored);
        version = now;
        readNanos = System.nanoTime();
        stored = read;
        if (changed) {
            merge();
        }
        return changed;
    }

    private void merge() {
        SortedMap<String, Bound> merged = new TreeMap<>();
        Map<String, String> topicsByQueue = new HashMap<>();
        Set<String> topics = new TreeSet<>(configured.keySet());
        topics.addAll(stored.keySet());
        for (String topic : topics) {
            try {
                bound(topic, topicsByQueue).ifPresent(bound -> merged.put(topic, bound));
            } catch (IllegalArgumentException e) {
                log.error("the binding of topic '{}' in Redis is invalid; bind it again: {}", topic, e.getMessage());
            }
        }
        all = Collections.unmodifiableSortedMap(merged);
    }

    private Optional<Bound> bound(String topic, Map<String, String> topicsByQueue) {
        StoredBinding kept = stored.getOrDefault(topic, StoredBinding.ofConfigured());
        Binding atRunTime = kept.binding(topic);
        Configured made = atRunTime == null ? configured.get(topic) : new Configured(atRunTime, Origin.RUN_TIME);
        if (made == null) {
            return Optional.empty();
        }
        Binding binding = made.binding();
        Transport transport = null;
        String fault = null;
        String other = topicsByQueue.putIfAbsent(binding.queue(), topic);
        try {
            refuseQueue(binding, other);
            transport = transports.of(binding);
        } catch (IllegalArgumentException e) {
            fault = String.valueOf(e.getMessage());
            log.error("this node does not deliver the jobs of topic '{}': {}", topic, fault);
        }
        return Optional.of(new Bound(binding, made.origin(), transport, fault, kept.paused(), kept.closed()));
    }

    private void refuseQueue(Binding binding, @Nullable String otherTopic) {
        if (otherTopic != null) {
            throw new IllegalArgumentException("queue '" + binding.queue() + "' is that of topic '" + otherTopic
                    + "', which is bound too; give topic '" + binding.topic() + "' a queue of its own");
        }
        if (consumedQueues.get().contains(binding.queue())) {
            throw new IllegalArgumentException(
                    "queue '" + binding.queue() + "' is one whose jobs beans and listeners of this application run;"
                            + " give topic '" + binding.topic() + "' a queue of its own");
        }
    }

    /**
     * Binds a topic in Redis.
     *
     * @throws IllegalArgumentException if that is refused
     */
    public synchronized void bind(Binding binding) {
        Transport unused = transports.of(binding);
        refresh();
        if (!all.containsKey(binding.topic()) && all.size() >= DelayJobTargets.MOST) {
            throw new IllegalArgumentException("at most " + DelayJobTargets.MOST
                    + " topics can be bound; unbind one before you bind " + Checks.shown(binding.topic()));
        }
        String other = all.values().stream()
                .map(Bound::binding)
                .filter(bound -> bound.queue().equals(binding.queue()))
                .map(Binding::topic)
                .filter(topic -> !topic.equals(binding.topic()))
                .findFirst()
                .orElse(null);
        refuseQueue(binding, other);
        put(binding.topic(), StoredBinding.of(binding));
    }

    /** Unbinds a topic; false if it is not bound. */
    public synchronized boolean unbind(String topic) {
        refresh();
        if (!all.containsKey(topic)) {
            return false;
        }
        put(topic, configured.containsKey(topic) ? kept(topic).closed("it was unbound") : null);
        return true;
    }

    /** Closes a binding whose target is gone, unless the topic was bound to another one in the meantime. */
    public synchronized void close(Binding gone, String why) {
        refresh();
        Bound now = all.get(gone.topic());
        if (now != null && now.binding().equals(gone) && now.closed() == null) {
            put(gone.topic(), kept(gone.topic()).closed(why));
        }
    }

    /** Pauses a topic, or resumes it, which opens one that was closed; false if it is not bound. */
    public synchronized boolean pause(String topic, boolean paused) {
        refresh();
        if (!all.containsKey(topic)) {
            return false;
        }
        StoredBinding kept = kept(topic).paused(paused);
        put(topic, paused ? kept : kept.closed(null));
        return true;
    }

    private StoredBinding kept(String topic) {
        return stored.getOrDefault(topic, StoredBinding.ofConfigured());
    }

    private void put(String topic, @Nullable StoredBinding changed) {
        store.put(topic, changed);
        refresh();
    }
}

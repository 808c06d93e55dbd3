package io.delayjob.delivery.internal.binding;

import io.delayjob.DelayJobException;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.BindingStatus.Origin;
import io.delayjob.delivery.Maker;
import io.delayjob.delivery.RefusedBindingException;
import io.delayjob.delivery.RefusedBindingException.Reason;
import io.delayjob.delivery.spi.Transport;
import io.delayjob.support.Checks;
import java.net.URI;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which topic is bound to what on this node: properties and beans, and over them what Redis has. Thread-safe. */
public final class Bindings {

    private static final Logger log = LoggerFactory.getLogger(Bindings.class);

    /** How often a change is decided while others change bindings. */
    private static final int MOST_TRIES = 100;

    /** Even if the number of changes is the same, because Redis may have lost the changes and the number. */
    private static final long READ_ALL_NANOS = 10_000_000_000L;

    /** How often a target that was refused is checked again: the name of its host may have got another address. */
    private static final long CHECK_AGAIN_NANOS = 10_000_000_000L;

    private final Map<String, Configured> configured;
    private final BindingStore store;
    private final Transports transports;
    private final Supplier<Set<String>> consumedQueues;
    private final LongSupplier nanoTime;
    private final Map<String, Checked> checked = new HashMap<>();
    private Map<String, StoredBinding> stored = Map.of();
    private @Nullable Long version;
    private long readNanos;
    private long checkedNanos;
    private volatile SortedMap<String, Bound> all = Collections.emptySortedMap();

    /**
     * A binding of a property or bean.
     *
     * @param origin which of both
     */
    public record Configured(Binding binding, Origin origin) {}

    /** A binding and the answer of its transport. The transport is null if it refuses the binding, and the fault is null if it does not. */
    private record Checked(
            Binding binding,
            @Nullable Transport transport,
            @Nullable String fault) {}

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
        this(configured, store, transports, consumedQueues, System::nanoTime);
    }

    /** The same by a clock of the caller's. */
    Bindings(
            Map<String, Configured> configured,
            BindingStore store,
            Transports transports,
            Supplier<Set<String>> consumedQueues,
            LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.checkedNanos = nanoTime.getAsLong();
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

    /** Reads what has changed in Redis, and checks targets again that were refused; false if nothing in Redis has changed. */
    public synchronized boolean refresh() {
        boolean changed = read();
        if (forgetRefusals() || changed) {
            merge();
        }
        return changed;
    }

    /** Forgets from time to time which targets were refused, so that they are checked again; true if there are any. */
    private boolean forgetRefusals() {
        long now = nanoTime.getAsLong();
        if (now - checkedNanos < CHECK_AGAIN_NANOS) {
            return false;
        }
        checkedNanos = now;
        return checked.values().removeIf(target -> target.fault() != null);
    }

    private boolean read() {
        long now = store.version();
        if (version != null && version == now && nanoTime.getAsLong() - readNanos < READ_ALL_NANOS) {
            return false;
        }
        Map<String, StoredBinding> read = store.all();
        boolean changed = version == null || !read.equals(stored);
        version = now;
        readNanos = nanoTime.getAsLong();
        stored = read;
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
        checked.keySet().retainAll(topics);
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
        Checked target = checked(binding, topicsByQueue.putIfAbsent(binding.queue(), topic));
        log(topic, target.fault());
        return Optional.of(new Bound(
                binding,
                made.origin(),
                atRunTime == null ? null : kept.maker(),
                target.transport(),
                target.fault(),
                kept.paused(),
                kept.closed()));
    }

    private void log(String topic, @Nullable String fault) {
        Bound before = all.get(topic);
        if (fault != null && (before == null || !fault.equals(before.fault()))) {
            log.error("this node does not deliver the jobs of topic '{}': {}", topic, fault);
        }
    }

    /** A target is not checked again while its binding stays as it is: that may look up a name. */
    private Checked checked(Binding binding, @Nullable String otherTopic) {
        try {
            refuseQueue(binding, otherTopic);
        } catch (IllegalArgumentException e) {
            return new Checked(binding, null, String.valueOf(e.getMessage()));
        }
        Checked before = checked.get(binding.topic());
        if (before != null && before.binding().equals(binding)) {
            return before;
        }
        Checked now = check(binding);
        checked.put(binding.topic(), now);
        return now;
    }

    private Checked check(Binding binding) {
        try {
            return new Checked(binding, transports.of(binding), null);
        } catch (IllegalArgumentException e) {
            return new Checked(binding, null, String.valueOf(e.getMessage()));
        }
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
     * @param change makes the new binding of the present one
     * @param maker for whom
     * @throws IllegalArgumentException if that is refused
     */
    public void bind(String topic, Function<Optional<Binding>, Binding> change, Maker maker) {
        bind(() -> {
            Bound now = all.get(topic);
            checkOwn(now, maker);
            Binding binding = change.apply(Optional.ofNullable(now).map(Bound::binding));
            checkTopic(topic, binding);
            checkRoom(binding, isMadeBy(maker, now) ? 0 : 1, now == null ? 1 : 0, maker);
            refuseQueue(binding);
            return Map.of(topic, StoredBinding.of(binding, maker));
        });
    }

    private static void checkTopic(String topic, Binding binding) {
        if (!binding.topic().equals(topic)) {
            throw new IllegalArgumentException("the binding of topic %s must not be that of topic %s"
                    .formatted(Checks.shown(topic), Checks.shown(binding.topic())));
        }
    }

    /**
     * Binds those of some topics in Redis that are not bound.
     *
     * @param maker for whom
     * @throws IllegalArgumentException if that is refused; then none is bound
     */
    public void bindNew(Collection<Binding> bindings, Maker maker) {
        bind(() -> {
            Map<String, Bound> others = targetsOfOthers(maker);
            Map<String, StoredBinding> made = new TreeMap<>();
            for (Binding binding : bindings) {
                checkOwn(all.get(binding.topic()), maker);
                checkOwn(others.get(place(binding)), maker);
                if (!all.containsKey(binding.topic())) {
                    checkRoom(binding, made.size() + 1, made.size() + 1, maker);
                    refuseQueue(binding);
                    made.put(binding.topic(), StoredBinding.of(binding, maker));
                }
            }
            return made;
        });
    }

    /** Decides first without the transports: they remember targets, and may wait for a name server. */
    private void bind(Supplier<Map<String, StoredBinding>> decision) {
        Map<String, StoredBinding> made = decided(decision);
        made.forEach((topic, stored) -> {
            Transport unused = transports.of(Objects.requireNonNull(stored.binding(topic)));
        });
        if (!made.isEmpty()) {
            var unused = change(decision);
        }
    }

    /** The process behind a target gets the jobs of every topic that is bound to it. */
    private Map<String, Bound> targetsOfOthers(Maker maker) {
        return all.values().stream()
                .filter(bound -> !maker.isFor(bound.binding().queue()))
                .collect(Collectors.toMap(bound -> place(bound.binding()), Function.identity(), (one, other) -> one));
    }

    /** The same for all ways of writing a target. */
    private static String place(Binding binding) {
        URI target = binding.uri();
        return binding.scheme() + ":"
                + (target.isOpaque() ? target.getSchemeSpecificPart() : target.getAuthority() + target.getPath());
    }

    private static void checkOwn(@Nullable Bound bound, Maker maker) {
        if (bound != null && !maker.isFor(bound.binding().queue())) {
            throw new RefusedBindingException(
                    Reason.NOT_ITS_OWN,
                    "topic %s is bound to a queue that %s knows nothing of; choose another topic, or ask who is for that queue to unbind it"
                            .formatted(Checks.shown(bound.binding().topic()), shown(maker)));
        }
    }

    private static boolean isMadeBy(Maker maker, @Nullable Bound bound) {
        return bound != null && maker.name() != null && maker.name().equals(bound.maker());
    }

    private void checkRoom(Binding binding, int moreOfMaker, int moreOfAll, Maker maker) {
        if (moreOfAll > 0 && all.size() + moreOfAll > maker.mostOfAll()) {
            throw new RefusedBindingException(
                    Reason.TOO_MANY,
                    "%d topics are bound, and %s may bind one only while there are fewer than %d; unbind one before you bind %s"
                            .formatted(all.size(), shown(maker), maker.mostOfAll(), Checks.shown(binding.topic())));
        }
        long its = all.values().stream().filter(bound -> isMadeBy(maker, bound)).count();
        if (moreOfMaker > 0 && its + moreOfMaker > maker.mostBindings()) {
            throw new RefusedBindingException(
                    Reason.TOO_MANY,
                    "%s has bound %d topics, and may bind %d; unbind one before you bind %s"
                            .formatted(shown(maker), its, maker.mostBindings(), Checks.shown(binding.topic())));
        }
    }

    private static String shown(Maker maker) {
        return maker.name() == null ? "this application" : maker.name();
    }

    private void refuseQueue(Binding binding) {
        refuseQueue(
                binding,
                all.values().stream()
                        .map(Bound::binding)
                        .filter(bound -> bound.queue().equals(binding.queue()))
                        .map(Binding::topic)
                        .filter(topic -> !topic.equals(binding.topic()))
                        .findFirst()
                        .orElse(null));
    }

    /** Unbinds a topic; false if it is not bound, or not the maker's own. */
    public boolean unbind(String topic, Maker maker) {
        return !change(() -> its(topic, maker).isPresent() ? Map.of(topic, unbound(topic)) : Map.of())
                .isEmpty();
    }

    /** Unbinds all topics that somebody has bound, of those that are the maker's own; how many. */
    public int unbindAll(String name, Maker maker) {
        return change(() -> all.values().stream()
                        .filter(bound -> name.equals(bound.maker()))
                        .map(bound -> bound.binding().topic())
                        .filter(topic -> its(topic, maker).isPresent())
                        .collect(Collectors.toMap(Function.identity(), this::unbound)))
                .size();
    }

    private StoredBinding unbound(String topic) {
        return configured.containsKey(topic) ? kept(topic).closed("it was unbound") : StoredBinding.ofConfigured();
    }

    /** Closes a binding whose target is gone, unless the topic was bound to another one in the meantime. */
    public void close(Binding gone, String why) {
        var unused = change(() -> {
            Bound now = all.get(gone.topic());
            return now != null && now.binding().equals(gone) && now.closed() == null
                    ? Map.of(gone.topic(), kept(gone.topic()).closed(why))
                    : Map.of();
        });
    }

    /** Pauses a topic, or resumes it, which opens one that was closed; false if it is not bound, or not the maker's own. */
    public boolean pause(String topic, boolean paused, Maker maker) {
        return !change(() -> its(topic, maker).isPresent() ? Map.of(topic, paused(topic, paused)) : Map.of())
                .isEmpty();
    }

    private StoredBinding paused(String topic, boolean paused) {
        StoredBinding kept = kept(topic).paused(paused);
        return paused ? kept : kept.closed(null);
    }

    /** The binding of a topic, if it is the maker's own. */
    public Optional<Bound> its(String topic, Maker maker) {
        return Optional.ofNullable(all.get(topic))
                .filter(bound -> maker.isFor(bound.binding().queue()));
    }

    private StoredBinding kept(String topic) {
        return stored.getOrDefault(topic, StoredBinding.ofConfigured());
    }

    /** Decides by the bindings that Redis has now which of them to change. */
    private synchronized Map<String, StoredBinding> decided(Supplier<Map<String, StoredBinding>> decision) {
        refresh();
        return decision.get();
    }

    /**
     * Stores the entries that a decision derives from the current bindings. If these change before the entries are stored, decides again. Every
     * change goes this way.
     *
     * @param decision computes the entries that Redis is to keep of the topics that change
     * @return the stored entries
     */
    private synchronized Map<String, StoredBinding> change(Supplier<Map<String, StoredBinding>> decision) {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            Map<String, StoredBinding> changed = decided(decision);
            if (changed.isEmpty() || store.put(Objects.requireNonNull(version), changed)) {
                refresh();
                return changed;
            }
        }
        throw new DelayJobException("others change the bindings of topics all the time", null);
    }
}

package io.delayjob.delivery.internal.watching;

import io.delayjob.delivery.Binding;
import io.delayjob.delivery.BindingStatus.State;
import io.delayjob.delivery.DelayJobTargets;
import io.delayjob.delivery.internal.running.CallObserver;
import io.delayjob.delivery.internal.running.Couriers;
import io.delayjob.delivery.spi.DeliveryOutcome;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Meters of the calls to targets, by topic. Those of a topic that is not bound any more are removed. */
public final class TargetMeters implements MeterBinder, CallObserver {

    private static final String CALL = "delayjob.target.call";
    private static final String UNDER_WAY = "delayjob.target.calls.active";
    private static final String STATE = "delayjob.target.state";
    private static final List<String> NAMES = List.of(CALL, UNDER_WAY, STATE);

    private final Supplier<DelayJobTargets> targets;
    private final Supplier<Couriers> couriers;
    private final List<MeterRegistry> registries = new CopyOnWriteArrayList<>();
    private Set<String> topics = Set.of();

    /**
     * Meters that no registry has yet.
     *
     * @param targets says how a target is doing
     * @param couriers says how many calls are under way
     */
    public TargetMeters(Supplier<DelayJobTargets> targets, Supplier<Couriers> couriers) {
        this.targets = targets;
        this.couriers = couriers;
    }

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        registries.add(registry);
        topics.forEach(topic -> add(topic, registry));
    }

    @Override
    public synchronized void bound(Set<String> now) {
        if (now.equals(topics)) {
            return;
        }
        Set<String> added = new TreeSet<>(now);
        added.removeAll(topics);
        Set<String> over = new TreeSet<>(topics);
        over.removeAll(now);
        topics = Set.copyOf(now);
        registries.forEach(registry -> {
            over.forEach(topic -> remove(topic, registry));
            added.forEach(topic -> add(topic, registry));
        });
    }

    private void add(String topic, MeterRegistry registry) {
        Gauge.builder(UNDER_WAY, () -> couriers.get().underWay(topic))
                .description("Calls to the target that this node has under way")
                .tag("topic", topic)
                .register(registry);
        for (State state : State.values()) {
            Gauge.builder(STATE, () -> is(topic, state) ? 1 : 0)
                    .description("1 for the state that the target is in, as this node sees it")
                    .tag("topic", topic)
                    .tag("state", tag(state))
                    .register(registry);
        }
    }

    private boolean is(String topic, State state) {
        return targets.get()
                .find(topic)
                .filter(status -> status.state() == state)
                .isPresent();
    }

    private static void remove(String topic, MeterRegistry registry) {
        for (String name : NAMES) {
            List<Meter> its =
                    List.copyOf(registry.find(name).tag("topic", topic).meters());
            its.forEach(registry::remove);
        }
    }

    /** A call that ends when its topic is bound no more is not counted: its meter would stay for ever. */
    @Override
    public synchronized void ended(Binding binding, DeliveryOutcome outcome, long nanos) {
        if (!topics.contains(binding.topic())) {
            return;
        }
        Tags tags = Tags.of("topic", binding.topic(), "outcome", outcome(outcome));
        registries.forEach(registry -> Timer.builder(CALL)
                .description("Duration of a call to the target, until its answer was there or it was given up")
                .tags(tags)
                .register(registry)
                .record(nanos, TimeUnit.NANOSECONDS));
    }

    private static String outcome(DeliveryOutcome outcome) {
        return tag(outcome.getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "_"));
    }

    private static String tag(Object value) {
        return value.toString().toLowerCase(Locale.ROOT);
    }
}

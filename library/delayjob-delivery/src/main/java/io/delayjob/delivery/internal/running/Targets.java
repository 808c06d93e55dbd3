package io.delayjob.delivery.internal.running;

import io.delayjob.delivery.Binding;
import io.delayjob.delivery.BindingStatus;
import io.delayjob.delivery.BindingStatus.State;
import io.delayjob.delivery.DelayJobTargets;
import io.delayjob.delivery.Maker;
import io.delayjob.delivery.internal.binding.Bindings;
import io.delayjob.delivery.internal.binding.Bound;
import io.delayjob.support.Checks;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The bindings, as callers of this node see them. */
public final class Targets implements DelayJobTargets {

    private final Bindings bindings;
    private final Couriers couriers;
    private final Maker maker;

    /** The bindings as the application itself sees them. */
    public Targets(Bindings bindings, Couriers couriers) {
        this(bindings, couriers, Maker.APPLICATION);
    }

    private Targets(Bindings bindings, Couriers couriers, Maker maker) {
        this.bindings = bindings;
        this.couriers = couriers;
        this.maker = maker;
    }

    @Override
    public DelayJobTargets as(Maker other) {
        return new Targets(bindings, couriers, Checks.notNull(other, "maker"));
    }

    @Override
    public void bind(String topic, Function<Optional<Binding>, Binding> change) {
        bindings.bind(Checks.jobName(topic), Checks.notNull(change, "change"), maker);
        couriers.follow();
    }

    @Override
    public void bindNew(Collection<Binding> all) {
        bindings.bindNew(Checks.notNull(all, "bindings"), maker);
        couriers.follow();
    }

    @Override
    public int unbindAll(String name) {
        int unbound = bindings.unbindAll(Checks.notNull(name, "maker"), maker);
        couriers.follow();
        return unbound;
    }

    @Override
    public boolean unbind(String topic) {
        boolean was = bindings.unbind(Checks.jobName(topic), maker);
        couriers.follow();
        return was;
    }

    @Override
    public boolean pause(String topic) {
        boolean was = bindings.pause(Checks.jobName(topic), true, maker);
        couriers.follow();
        return was;
    }

    @Override
    public boolean resume(String topic) {
        boolean was = bindings.pause(Checks.jobName(topic), false, maker);
        couriers.follow();
        return was;
    }

    @Override
    public Optional<BindingStatus> find(String topic) {
        return bindings.its(Checks.jobName(topic), maker).map(this::status);
    }

    @Override
    public List<BindingStatus> list() {
        return bindings.all().values().stream()
                .filter(bound -> maker.isFor(bound.binding().queue()))
                .map(this::status)
                .toList();
    }

    private BindingStatus status(Bound bound) {
        if (bound.closed() != null) {
            return status(bound, State.CLOSED, bound.closed());
        }
        if (bound.paused()) {
            return status(bound, State.PAUSED, "it is paused");
        }
        if (bound.fault() != null) {
            return status(bound, State.UNUSABLE, bound.fault());
        }
        return couriers.held(bound.binding().topic())
                .map(why -> status(bound, State.HELD, why))
                .orElseGet(() -> new BindingStatus(bound.binding(), bound.origin(), State.OPEN, null, bound.maker()));
    }

    private static BindingStatus status(Bound bound, State state, String reason) {
        return new BindingStatus(bound.binding(), bound.origin(), state, reason, bound.maker());
    }
}

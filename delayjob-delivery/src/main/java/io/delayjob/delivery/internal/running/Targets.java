package io.delayjob.delivery.internal.running;

import io.delayjob.delivery.Binding;
import io.delayjob.delivery.BindingStatus;
import io.delayjob.delivery.BindingStatus.State;
import io.delayjob.delivery.DelayJobTargets;
import io.delayjob.delivery.internal.binding.Bindings;
import io.delayjob.delivery.internal.binding.Bound;
import io.delayjob.support.Checks;
import java.util.List;
import java.util.Optional;

/** The bindings, as callers of this node see them. */
public final class Targets implements DelayJobTargets {

    private final Bindings bindings;
    private final Couriers couriers;

    public Targets(Bindings bindings, Couriers couriers) {
        this.bindings = bindings;
        this.couriers = couriers;
    }

    @Override
    public void bind(Binding binding) {
        bindings.bind(Checks.notNull(binding, "binding"));
        couriers.follow();
    }

    @Override
    public boolean unbind(String topic) {
        boolean was = bindings.unbind(Checks.jobName(topic));
        couriers.follow();
        return was;
    }

    @Override
    public boolean pause(String topic) {
        boolean was = bindings.pause(Checks.jobName(topic), true);
        couriers.follow();
        return was;
    }

    @Override
    public boolean resume(String topic) {
        boolean was = bindings.pause(Checks.jobName(topic), false);
        couriers.follow();
        return was;
    }

    @Override
    public Optional<BindingStatus> find(String topic) {
        return Optional.ofNullable(bindings.all().get(Checks.jobName(topic))).map(this::status);
    }

    @Override
    public List<BindingStatus> list() {
        return bindings.all().values().stream().map(this::status).toList();
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
                .orElseGet(() -> new BindingStatus(bound.binding(), bound.origin(), State.OPEN, null));
    }

    private static BindingStatus status(Bound bound, State state, String reason) {
        return new BindingStatus(bound.binding(), bound.origin(), state, reason);
    }
}

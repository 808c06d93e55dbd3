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
    private final Runnable changed;
    private final Function<String, Optional<String>> held;
    private final Maker maker;

    /**
     * The bindings as the application itself sees them.
     *
     * @param changed is told of each change
     * @param held why the target of a topic gets nothing now; empty if it does
     */
    public Targets(Bindings bindings, Runnable changed, Function<String, Optional<String>> held) {
        this(bindings, changed, held, Maker.APPLICATION);
    }

    private Targets(Bindings bindings, Runnable changed, Function<String, Optional<String>> held, Maker maker) {
        this.bindings = bindings;
        this.changed = changed;
        this.held = held;
        this.maker = maker;
    }

    @Override
    public DelayJobTargets as(Maker other) {
        return new Targets(bindings, changed, held, Checks.notNull(other, "maker"));
    }

    @Override
    public void bind(String topic, Function<Optional<Binding>, Binding> change) {
        bindings.bind(Checks.jobName(topic), Checks.notNull(change, "change"), maker);
        changed.run();
    }

    @Override
    public void bindNew(Collection<Binding> all) {
        bindings.bindNew(Checks.notNull(all, "bindings"), maker);
        changed.run();
    }

    @Override
    public int unbindAll(String name) {
        int unbound = bindings.unbindAll(Checks.notNull(name, "maker"), maker);
        changed.run();
        return unbound;
    }

    @Override
    public boolean unbind(String topic) {
        boolean was = bindings.unbind(Checks.jobName(topic), maker);
        changed.run();
        return was;
    }

    @Override
    public boolean pause(String topic) {
        boolean was = bindings.pause(Checks.jobName(topic), true, maker);
        changed.run();
        return was;
    }

    @Override
    public boolean resume(String topic) {
        boolean was = bindings.pause(Checks.jobName(topic), false, maker);
        changed.run();
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
        return held.apply(bound.binding().topic())
                .map(why -> status(bound, State.HELD, why))
                .orElseGet(() -> new BindingStatus(bound.binding(), bound.origin(), State.OPEN, null, bound.maker()));
    }

    private static BindingStatus status(Bound bound, State state, String reason) {
        return new BindingStatus(bound.binding(), bound.origin(), state, reason, bound.maker());
    }
}

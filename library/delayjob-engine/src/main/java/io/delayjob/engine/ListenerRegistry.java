package io.delayjob.engine;

import io.delayjob.DelayJobListenerRegistry;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.settings.ConsumedQueue;
import java.util.Set;

/** The listeners of this node by id; starting or stopping one starts or stops its queue. */
final class ListenerRegistry implements DelayJobListenerRegistry {

    private final HandlerRegistry registry;
    private final DelayJobEngine engine;

    ListenerRegistry(HandlerRegistry registry, DelayJobEngine engine) {
        this.registry = registry;
        this.engine = engine;
    }

    @Override
    public Set<String> ids() {
        return registry.listeners().keySet();
    }

    @Override
    public boolean isRunning(String id) {
        return engine.isConsuming(queue(id));
    }

    @Override
    public void start(String id) {
        engine.startConsuming(queue(id));
    }

    @Override
    public void stop(String id) {
        engine.stopConsuming(queue(id));
    }

    private String queue(String id) {
        ConsumedQueue consumed = registry.listeners().get(id);
        if (consumed == null) {
            throw new IllegalArgumentException("no listener has the id '" + id + "'; the listeners are " + ids());
        }
        return engine.queueOf(consumed);
    }
}

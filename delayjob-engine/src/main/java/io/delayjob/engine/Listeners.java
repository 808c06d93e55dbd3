package io.delayjob.engine;

import io.delayjob.DelayJobListenerRegistry;
import io.delayjob.engine.handler.JobRegistry;
import io.delayjob.engine.handler.ListenedQueue;
import java.util.Set;

/** The listeners of this node by their ids; each stands for its queue. */
final class Listeners implements DelayJobListenerRegistry {

    private final JobRegistry registry;
    private final DelayJobEngine engine;

    Listeners(JobRegistry registry, DelayJobEngine engine) {
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
        ListenedQueue listened = registry.listeners().get(id);
        if (listened == null) {
            throw new IllegalArgumentException("no listener has the id '" + id + "'; there are " + ids());
        }
        return engine.queueOf(listened);
    }
}

package io.delayjob.delivery.internal.binding;

import java.util.HashMap;
import java.util.Map;

/** Keeps the bindings in memory, for tests. */
public final class MemoryBindings implements BindingStore {

    private final Map<String, StoredBinding> bindings = new HashMap<>();
    private long version;

    @Override
    public synchronized long version() {
        return version;
    }

    @Override
    public synchronized Map<String, StoredBinding> all() {
        return Map.copyOf(bindings);
    }

    @Override
    public synchronized boolean put(long read, Map<String, StoredBinding> changed) {
        if (read != version) {
            return false;
        }
        bindings.putAll(changed);
        bindings.values().removeIf(StoredBinding::isNothing);
        version++;
        return true;
    }

    /** Forgets all. */
    public synchronized void clear() {
        bindings.clear();
        version++;
    }
}

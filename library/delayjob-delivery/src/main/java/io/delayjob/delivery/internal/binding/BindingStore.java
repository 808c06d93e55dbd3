package io.delayjob.delivery.internal.binding;

import java.util.Map;

/** Bindings made or changed at run time, and a version number that grows with each change. Thread-safe. */
public interface BindingStore {

    /** Grows with each change. */
    long version();

    /** The stored entries by topic. An entry that cannot be read is left out. */
    Map<String, StoredBinding> all();

    /**
     * Stores what is known of some topics, unless bindings have changed since they were read.
     *
     * @param read the version that they had then
     * @param changed by topic; one that says nothing is forgotten
     * @return whether it is stored
     */
    boolean put(long read, Map<String, StoredBinding> changed);
}

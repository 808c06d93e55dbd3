package io.delayjob.delivery.internal.binding;

import io.delayjob.delivery.Binding;
import io.delayjob.delivery.BindingStatus.Origin;
import io.delayjob.delivery.spi.Transport;
import org.jspecify.annotations.Nullable;

/**
 * A binding as this node uses it.
 *
 * @param transport the transport that delivers there; null if this node cannot
 * @param fault why this node cannot deliver there; null if it can
 * @param maker the name of the maker that bound it; null for the application itself
 * @param closed why it was unbound; null if it was not
 */
public record Bound(
        Binding binding,
        Origin origin,
        @Nullable String maker,
        @Nullable Transport transport,
        @Nullable String fault,
        boolean paused,
        @Nullable String closed) {

    /** Whether its jobs are to be delivered by this node. */
    public boolean isOpen() {
        return transport != null && fault == null && !paused && closed == null;
    }
}

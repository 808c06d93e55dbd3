package io.delayjob.delivery.internal.binding;

import io.delayjob.delivery.Binding;
import io.delayjob.delivery.spi.Transport;
import io.delayjob.support.Checks;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The transports of this application, by scheme. */
public final class Transports {

    private final Map<String, Transport> byScheme = new TreeMap<>();
    private final @Nullable Transport others;

    /**
     * All transports.
     *
     * @throws IllegalStateException if two have the same scheme
     */
    public Transports(Collection<? extends Transport> all) {
        this(all, null);
    }

    /**
     * All transports.
     *
     * @param others the transport of all other schemes; null if they are refused
     * @throws IllegalStateException if two have the same scheme
     */
    public Transports(Collection<? extends Transport> all, @Nullable Transport others) {
        this.others = others;
        for (Transport transport : all) {
            for (String scheme : transport.schemes()) {
                Transport other = byScheme.put(scheme, transport);
                if (other != null) {
                    throw new IllegalStateException("two transports deliver to targets of scheme '" + scheme + "': "
                            + other.getClass().getName() + " and "
                            + transport.getClass().getName() + "; remove one of these beans");
                }
            }
        }
    }

    /** Their schemes, sorted. */
    public Set<String> schemes() {
        return byScheme.keySet();
    }

    /**
     * The transport of a binding, which has let it pass.
     *
     * @throws IllegalArgumentException if there is none, or it refuses the target
     */
    public Transport of(Binding binding) {
        Transport transport = byScheme.getOrDefault(binding.scheme(), others);
        if (transport == null) {
            throw new IllegalArgumentException("no transport of this application delivers to "
                    + place(binding) + ": it has transports for " + schemes()
                    + "; correct the scheme, or add the library of its transport");
        }
        transport.check(binding);
        return transport;
    }

    /** The target of a binding in messages that others than administrators may read: without its query, which may be secret. */
    public static String place(Binding binding) {
        int query = binding.target().indexOf('?');
        return Checks.shown(query < 0 ? binding.target() : binding.target().substring(0, query) + "?…");
    }
}

package io.delayjob.server.internal.limits;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.springframework.web.server.ServerWebExchange;

/**
 * The address that requests come from. Many callers may come by one address, that of a proxy.
 *
 * @param network the address, or the network's part of an IPv6 address, because its owner may choose the rest
 * @param shown the whole address
 */
public record Address(String network, String shown) {

    private static final Address UNKNOWN = new Address("", "an unknown address");
    private static final int NETWORK_BYTES = 8;

    /** The address of a request. */
    public static Address of(ServerWebExchange exchange) {
        InetSocketAddress address = exchange.getRequest().getRemoteAddress();
        return of(address == null ? null : address.getAddress());
    }

    /** An address by its bytes; null if it is not known. */
    public static Address of(@Nullable InetAddress address) {
        if (address == null) {
            return UNKNOWN;
        }
        String shown = address.getHostAddress();
        return address instanceof Inet6Address
                ? new Address(HexFormat.of().formatHex(Arrays.copyOf(address.getAddress(), NETWORK_BYTES)), shown)
                : new Address(shown, shown);
    }
}

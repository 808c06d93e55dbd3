package io.delayjob.delivery.internal.http;

import io.delayjob.support.Checks;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which hosts and addresses may be called. Only public addresses are open: what is a network's own, such as loopback, private and
 * link-local addresses with the metadata of clouds, is closed unless it is opened by a property.
 */
public final class AddressRules {

    private static final Pattern HOST_PATTERN = Pattern.compile("([*][.])?[A-Za-z0-9]([A-Za-z0-9._:-]*[A-Za-z0-9])?");

    /** Networks that are not public: those listed as not globally reachable by the special-purpose registries, multicast, two metadata services. */
    private static final List<Network> CLOSED = Stream.of(
                    "0.0.0.0/8",
                    "10.0.0.0/8",
                    "100.64.0.0/10",
                    "127.0.0.0/8",
                    "168.63.129.16",
                    "169.254.0.0/16",
                    "172.16.0.0/12",
                    "192.0.0.0/24",
                    "192.0.2.0/24",
                    "192.88.99.0/24",
                    "192.168.0.0/16",
                    "198.18.0.0/15",
                    "198.51.100.0/24",
                    "203.0.113.0/24",
                    "224.0.0.0/4",
                    "240.0.0.0/4")
            .map(Network::of)
            .toList();

    /** All that IPv6 has assigned to the public, and what of it is not public. */
    private static final Network PUBLIC_V6 = Network.of("2000::/3");

    private static final List<Network> CLOSED_V6 = Stream.of("2001::/23", "2001:db8::/32", "3fff::/20")
            .map(Network::of)
            .toList();

    /** Where services have their instances. */
    private static final List<Network> INSIDE = Stream.of(
                    "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1", "fc00::/7")
            .map(Network::of)
            .toList();

    /** Metadata services that have an address inside. */
    private static final List<Network> METADATA =
            Stream.of("100.100.100.200", "fd00:ec2::254").map(Network::of).toList();

    private final List<String> hosts;
    private final List<Network> open;
    private final boolean inside;

    /**
     * Rules.
     *
     * @param hosts the only hosts that may be called: names, or {@code *.} and the end of names; empty for all
     * @param open networks that are open though they would be closed, such as {@code 10.1.0.0/16}
     * @throws IllegalArgumentException if one is malformed
     */
    public AddressRules(List<String> hosts, List<String> open) {
        this(hosts, open, false);
    }

    /**
     * Rules for instances that a registry names, which are inside: private and loopback addresses are open as well.
     *
     * @param open networks that are open though they would be closed
     */
    public static AddressRules ofRegistry(List<String> open) {
        return new AddressRules(List.of(), open, true);
    }

    private AddressRules(List<String> hosts, List<String> open, boolean inside) {
        this.inside = inside;
        hosts.stream()
                .filter(host -> !HOST_PATTERN.matcher(host).matches())
                .findFirst()
                .ifPresent(host -> {
                    throw new IllegalArgumentException(
                            "a host must be a name, or *. and the end of names: " + Checks.shown(host));
                });
        this.hosts = hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
        this.open = open.stream().map(Network::of).toList();
    }

    /**
     * Refuses a host that is not among those that may be called.
     *
     * @param host in lower case
     */
    void checkHost(String host) {
        if (!hosts.isEmpty() && hosts.stream().noneMatch(allowed -> matches(allowed, host))) {
            throw new ClosedAddressException("host '" + host
                    + "' is not among those that may be called; add it to delayjob.delivery.http.allowed-hosts");
        }
    }

    private static boolean matches(String allowed, String host) {
        return allowed.startsWith("*.") ? host.endsWith(allowed.substring(1)) : host.equals(allowed);
    }

    /** Refuses an address that is closed. */
    void check(String host, InetAddress address) {
        if (isClosed(address)
                && !isIn(open, address)
                && !(inside && isIn(INSIDE, address) && !isIn(METADATA, address))) {
            throw new ClosedAddressException(
                    "host '" + host + "' has the address " + address.getHostAddress()
                            + ", which is not public; if it may be called, open its network by delayjob.delivery.http.open-networks");
        }
    }

    private static boolean isIn(List<Network> networks, InetAddress address) {
        return networks.stream().anyMatch(network -> network.contains(address));
    }

    private static boolean isClosed(InetAddress address) {
        InetAddress plain = Network.plain(address);
        if (plain.getAddress().length == 4) {
            return isIn(CLOSED, plain);
        }
        return !PUBLIC_V6.contains(plain) || isIn(CLOSED_V6, plain);
    }
}

package io.delayjob.delivery.internal.http;

import io.delayjob.support.Checks;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The host of an HTTP target, read as strictly as it can be: what two readers may take for different hosts is refused.
 *
 * @param host in lower case; an address of IPv6 without brackets
 */
record HttpAddress(String host) {

    private static final Pattern NAME = Pattern.compile(
            "([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?[.])*[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?");

    private static final Pattern QUAD =
            Pattern.compile("((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])([.](?!$)|$)){4}");

    /**
     * The host of a target.
     *
     * @throws IllegalArgumentException if it is refused
     */
    static HttpAddress of(URI target) {
        String shown = Checks.shown(target.toString());
        if (target.isOpaque() || target.getHost() == null || target.getRawAuthority() == null) {
            throw new IllegalArgumentException(
                    "target " + shown + " has no host that can be read; write it as in https://example.com/hook");
        }
        if (target.getRawUserInfo() != null || target.getRawAuthority().indexOf('@') >= 0) {
            throw new IllegalArgumentException("target " + Checks.shown(target.getScheme() + "://…@" + target.getHost())
                    + " must not contain a user or password; sign the calls with a secret instead");
        }
        if (target.getRawFragment() != null) {
            throw new IllegalArgumentException("target " + shown + " must not have a fragment (#…): nobody is sent it");
        }
        if (target.getPort() == 0 || target.getPort() > 65_535) {
            throw new IllegalArgumentException("target " + shown + " must have a port of 1 to 65535");
        }
        return new HttpAddress(host(target.getHost().toLowerCase(Locale.ROOT), shown));
    }

    private static String host(String host, String shown) {
        if (host.startsWith("[")) {
            String inner = host.substring(1, host.length() - 1);
            if (inner.indexOf('%') >= 0 || NetUtil.createByteArrayFromIpAddressString(inner) == null) {
                throw new IllegalArgumentException("target " + shown + " has no valid IPv6 address");
            }
            return inner;
        }
        if (!QUAD.matcher(host).matches()
                && (host.length() > 253 || !NAME.matcher(host).matches())) {
            throw new IllegalArgumentException("the host of target " + shown
                    + " must be a name as in DNS, without a dot at its end, or an address of four decimal numbers");
        }
        return host;
    }

    /** The address, if the host is one and not a name. */
    Optional<InetAddress> literal() {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
        if (bytes == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByAddress(host, bytes));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}

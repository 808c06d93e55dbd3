package io.delayjob.delivery.internal.http;

import io.delayjob.support.Checks;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** The addresses that begin with the same bits, such as {@code 10.0.0.0/8}; IPv4 addresses that are written as IPv6 are IPv4. */
final class Network {

    private final byte[] start;
    private final int bits;

    private Network(byte[] start, int bits) {
        this.start = start;
        this.bits = bits;
    }

    /**
     * Reads one, with the number of bits or without, for one address.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Network of(String text) {
        int slash = text.indexOf('/');
        byte[] start = NetUtil.createByteArrayFromIpAddressString(slash < 0 ? text : text.substring(0, slash));
        if (start == null) {
            throw invalid(text);
        }
        try {
            int bits = slash < 0 ? start.length * 8 : Integer.parseInt(text.substring(slash + 1));
            if (bits < 0 || bits > start.length * 8) {
                throw invalid(text);
            }
            return new Network(start, bits);
        } catch (NumberFormatException e) {
            throw invalid(text);
        }
    }

    private static IllegalArgumentException invalid(String text) {
        return new IllegalArgumentException(
                "a network must be an address and its bits, such as 10.0.0.0/8: " + Checks.shown(text));
    }

    boolean contains(InetAddress address) {
        byte[] other = plain(address).getAddress();
        if (other.length != start.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> (bit % 8);
            if ((other[bit / 8] & mask) != (start[bit / 8] & mask)) {
                return false;
            }
        }
        return true;
    }

    /** The IPv4 address that an IPv6 address stands for (mapped, compatible, NAT64, 6to4), or else the address itself. */
    static InetAddress plain(InetAddress address) {
        byte[] b = address.getAddress();
        if (b.length != 16) {
            return address;
        }
        if (isZero(b, 0, 10) && ((b[10] == -1 && b[11] == -1) || (isZero(b, 10, 12) && !isZero(b, 12, 15)))) {
            return v4(b, 12);
        }
        if (b[0] == 0 && b[1] == 0x64 && b[2] == -1 && (b[3] & 0xff) == 0x9b && isZero(b, 4, 12)) {
            return v4(b, 12);
        }
        return b[0] == 0x20 && b[1] == 0x02 ? v4(b, 2) : address;
    }

    private static boolean isZero(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            if (bytes[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private static InetAddress v4(byte[] bytes, int from) {
        try {
            return InetAddress.getByAddress(
                    new byte[] {bytes[from], bytes[from + 1], bytes[from + 2], bytes[from + 3]});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}

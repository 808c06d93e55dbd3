package io.delayjob.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.concurrent.ThreadLocalRandom;

/** Finds a free port on 127.0.0.1. */
final class LoopbackPort {
    static final String HOST = "127.0.0.1";

    // Below the range that Linux, macOS and Windows give to outgoing connections (32768 and up): otherwise a client
    // that reconnects to a stopped server can be given the server's own port and take it, or even connect to itself.
    // The tests of this project keep the 5,000 ports below for servers of their own.
    static final int LOWEST = 25_000;
    private static final int HIGHEST = 30_000;
    private static final int TRIES = 100;

    private LoopbackPort() {}

    static InetSocketAddress address(int port) {
        return new InetSocketAddress(loopback(), port);
    }

    private static InetAddress loopback() {
        try {
            return InetAddress.getByAddress(HOST, new byte[] {127, 0, 0, 1});
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    static int free() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            if (isFree(port)) {
                return port;
            }
        }
        throw new EmbeddedRedisException("No free port on %s between %d and %d".formatted(HOST, LOWEST, HIGHEST));
    }

    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, loopback())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}

package io.delayjob.testing;

import java.net.URI;

/**
 * A server for tests.
 *
 * @param url {@code redis://[[user]:password@]host[:port][/db]}, as clients take it
 * @param version product and version, such as {@code Redis 7.0.15}
 * @param origin where it comes from: what was configured, the container's image, or the executable
 */
public record RedisServer(String url, String version, String origin) {
    private static final int DEFAULT_PORT = 6379;

    /**
     * The one server of this JVM, found at the first call.
     *
     * <p>In this order: the address in the system property or environment variable {@code DELAYJOB_TEST_REDIS}; a
     * container of image {@code redis:7} (system property {@code delayjob.test.redis.image}) when Docker is there;
     * {@code redis-server} or {@code valkey-server} on the PATH; the bundled executable. The choice is printed once.
     *
     * @return the server, which ends with the JVM unless it was configured
     * @throws IllegalStateException if there is none, with all that was tried; or if the configured one does not answer
     */
    public static RedisServer shared() {
        return SharedServer.get();
    }

    /**
     * The host to connect to.
     *
     * @return a name or an address
     */
    public String host() {
        return URI.create(url).getHost();
    }

    /**
     * The port to connect to.
     *
     * @return the TCP port, 6379 when the address names none
     */
    public int port() {
        int port = URI.create(url).getPort();
        return port < 0 ? DEFAULT_PORT : port;
    }

    /**
     * The server in one line.
     *
     * @return version, address without user and password, and origin
     */
    public String description() {
        return "%s at %s:%d (%s)".formatted(version, host(), port(), origin);
    }

    /** Same as {@link #description()}: a failing test must not print a password. */
    @Override
    public String toString() {
        return description();
    }
}

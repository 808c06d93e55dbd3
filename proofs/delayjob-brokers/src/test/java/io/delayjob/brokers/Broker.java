package io.delayjob.brokers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

/** A broker that a test runs. It can be stopped and started again, then on the same port and with what it had stored. */
interface Broker {

    /** Starts it; returns when it takes messages. */
    void start() throws Exception;

    /** Stops it; connections of clients break. */
    void stop() throws Exception;

    /** Stops it for good. */
    default void end() throws Exception {
        stop();
    }

    /** A port of the loopback address that was free just now. */
    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A new folder for what a broker stores, below the module's own. */
    static Path folder(String name) {
        try {
            return Files.createTempDirectory(Files.createDirectories(Path.of("target", "brokers")), name)
                    .toAbsolutePath();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

package io.delayjob.delivery;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A {@link Receiver} in a JVM of its own, always at the same port, that can be killed and started again. */
final class ReceiverProcess implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(3);

    /** A job taken by a receiver. */
    record Taken(String id, int attempt, long dueMillis, long atMillis) {

        static Taken of(String line) {
            String[] parts = line.split(" ", -1);
            return new Taken(
                    parts[0],
                    Integer.parseInt(parts[1]),
                    Instant.parse(parts[2]).toEpochMilli(),
                    Long.parseLong(parts[3]));
        }
    }

    private final int port = freePort();
    private final Path file;
    private @Nullable Process process;

    ReceiverProcess(Path folder) {
        file = folder.resolve("receiver-" + port + ".txt");
    }

    private static int freePort() {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return port;
    }

    /** Starts it; returns when it takes jobs. */
    void start() {
        try {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx32m",
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-cp",
                            Path.of(Receiver.class
                                            .getProtectionDomain()
                                            .getCodeSource()
                                            .getLocation()
                                            .toURI())
                                    .toString(),
                            Receiver.class.getName(),
                            Integer.toString(port),
                            file.toString())
                    .inheritIO()
                    .start();
        } catch (IOException | URISyntaxException e) {
            throw new IllegalStateException(e);
        }
        awaitPort();
    }

    private void awaitPort() {
        Instant end = Instant.now().plus(START);
        while (true) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException e) {
                if (Instant.now().isAfter(end)) {
                    throw new UncheckedIOException("the receiver does not start", e);
                }
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    /** SIGKILL. */
    void kill() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly().onExit().join();
        }
    }

    /** All that it has taken, before its kills as well; a last line that it did not finish is none. */
    List<Taken> taken() {
        try {
            String text = Files.exists(file) ? Files.readString(file) : "";
            return text.substring(0, text.lastIndexOf('\n') + 1)
                    .lines()
                    .map(Taken::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }
}

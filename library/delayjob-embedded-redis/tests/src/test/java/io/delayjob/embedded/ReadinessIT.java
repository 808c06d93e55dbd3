package io.delayjob.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReadinessIT {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final String INFO = "process_id:42\r\nredis_version:7.2.4\r\nvalkey_version:8.1.0\r\n";

    private final AtomicInteger pings = new AtomicInteger();
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket();
        server.bind(LoopbackPort.address(0));
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void aLoadingServerIsWaitedForBeyondTheLimit() {
        // At 25 ms each, for longer than the limit, which a slow machine may need for its first call.
        serve(150);
        assertThat(Readiness.await(server.getLocalPort(), null, Duration.ofSeconds(3), () -> true))
                .contains(new ServerInfo(42, "Valkey", "8.1.0"));
        assertThat(pings).hasValueGreaterThan(150);
    }

    @Test
    void anEndedProcessIsNotWaitedFor() {
        assertThat(assertTimeoutPreemptively(
                        Duration.ofMinutes(2),
                        () -> Readiness.await(LoopbackPort.free(), null, Duration.ofMinutes(30), () -> false)))
                .isEmpty();
    }

    @Test
    void silenceEndsAtTheLimit() {
        assertThat(Readiness.await(LoopbackPort.free(), null, SHORT, () -> true))
                .isEmpty();
    }

    private void serve(int loading) {
        Thread thread = new Thread(() -> acceptAll(loading), "fake-redis");
        thread.setDaemon(true);
        thread.start();
    }

    private void acceptAll(int loading) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                answer(socket, loading);
            } catch (IOException e) {
                // the client or the test has ended
            }
        }
    }

    private void answer(Socket socket, int loading) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.equals("PING")) {
                write(socket, pings.incrementAndGet() > loading ? "+PONG\r\n" : "-LOADING wait\r\n");
            } else if (line.equals("server")) {
                write(socket, "$%d\r\n%s\r\n".formatted(INFO.length(), INFO));
            }
        }
    }

    private static void write(Socket socket, String reply) throws IOException {
        socket.getOutputStream().write(reply.getBytes(StandardCharsets.UTF_8));
    }
}

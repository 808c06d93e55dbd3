package io.delayjob.redisson.autoconfigure;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.spring.InvalidConfigurationException;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application whose Redis says that it is version 6.0 does not start, or says why nothing works if it was to start without Redis. */
@ExtendWith(OutputCaptureExtension.class)
class OldRedisIT {

    private static final String REFUSAL = "Redis says that it is version 6.0";

    /** An application with one job. */
    @Configuration(proxyBeanMethods = false)
    @Import(ParcelJob.class)
    static class App {}

    /** A way to a Redis on which it says that it is version 6.0. */
    private static final class Aged implements AutoCloseable {

        private final int redis;
        private final ServerSocket server;

        Aged(int redis) throws IOException {
            this.redis = redis;
            this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
            start(this::accept);
        }

        String url() {
            return "redis://127.0.0.1:" + server.getLocalPort();
        }

        private void accept() throws IOException {
            while (true) {
                Socket client = server.accept();
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), redis);
                start(() -> copy(client, upstream));
                start(() -> copy(upstream, client));
            }
        }

        /** The replacement has the same length, as long as the version has one digit before and one behind its first dot. */
        private static void copy(Socket from, Socket to) throws IOException {
            try (from;
                    to) {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                byte[] chunk = new byte[65_536];
                for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                    String text = new String(chunk, 0, read, ISO_8859_1);
                    out.write(text.replaceAll("redis_version:\\d\\.\\d", "redis_version:6.0")
                            .getBytes(ISO_8859_1));
                }
            }
        }

        private interface Step {
            void run() throws IOException;
        }

        private static void start(Step step) {
            Thread thread = new Thread(() -> {
                try {
                    step.run();
                } catch (IOException e) {
                    // One side has closed the connection.
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }

    @Test
    void isRefusedAtTheStart() throws IOException {
        try (OwnRedis redis = OwnRedis.start();
                Aged aged = new Aged(redis.port())) {
            assertThatThrownBy(() ->
                            TestApplication.start(App.class, new String[] {"spring.data.redis.url=" + aged.url()}))
                    .hasRootCauseInstanceOf(InvalidConfigurationException.class)
                    .rootCause()
                    .hasMessageContaining(REFUSAL)
                    .hasMessageContaining("needs 6.2 or newer");
        }
    }

    @Tag("proof")
    @Test
    void isSaidWhenItComesAfterTheStart(CapturedOutput output) throws IOException {
        try (OwnRedis redis = OwnRedis.start();
                Aged aged = new Aged(redis.port());
                ConfigurableApplicationContext app = TestApplication.start(
                        App.class, new String[] {"spring.data.redis.url=" + aged.url(), "delayjob.fail-fast=false"})) {
            await().atMost(Duration.ofMinutes(2)).until(() -> output.getAll().contains(REFUSAL));
            assertThat(app.isActive()).isTrue();
        }
    }
}

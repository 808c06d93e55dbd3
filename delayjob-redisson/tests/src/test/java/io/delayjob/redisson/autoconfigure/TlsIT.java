package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.abort;

import io.delayjob.embedded.EmbeddedRedisException;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** Over TLS, set up as any client of Spring Boot is. */
@Tag("proof")
@ExtendWith(OutputCaptureExtension.class)
class TlsIT {

    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    private static Path folder;

    private final String queue = TestApplication.queue();

    @Test
    void runsEverythingOverTlsWithAnSslBundle() throws Exception {
        Path key = certificate("server");
        int port = freePort();
        try (OwnRedis redis = startWithTls(key, port);
                ConfigurableApplicationContext context = start(redis, port, folder.resolve("server.crt"))) {
            new FullFlow(context, queue).run();
        }
    }

    @Test
    void refusesAServerThatAnotherAuthoritySignedAndSaysSo(CapturedOutput output) throws Exception {
        Path key = certificate("server");
        certificate("other");
        int port = freePort();
        try (OwnRedis redis = startWithTls(key, port)) {
            assertThat(catchThrowable(() ->
                            start(redis, port, folder.resolve("other.crt")).close()))
                    .isNotNull();
            assertThat(output)
                    .contains("APPLICATION FAILED TO START", "TLS", "spring.data.redis.ssl.bundle")
                    .doesNotContain("Start Redis, or set");
        }
    }

    @Test
    void speaksTlsToTheServerOfAnEncryptedAddressWithoutABundle(CapturedOutput output) throws Exception {
        Path key = certificate("server");
        int port = freePort();
        try (OwnRedis redis = startWithTls(key, port)) {
            assertThat(redis.port()).isNotEqualTo(port);
            // Nobody but the test knows who signed the certificate: refused, but asked for.
            assertThat(catchThrowable(() -> TestApplication.start(
                                    FullFlow.Beans.class,
                                    new String[] {"spring.data.redis.url=rediss://127.0.0.1:" + port})
                            .close()))
                    .isNotNull();
            assertThat(output).contains("Redis could not be reached over TLS");
        }
    }

    private ConfigurableApplicationContext start(OwnRedis redis, int port, Path authority) {
        List<String> properties = new ArrayList<>(FullFlow.SETTINGS);
        properties.addAll(List.of(
                "spring.data.redis.url=rediss://127.0.0.1:" + port,
                "spring.data.redis.ssl.bundle=redis",
                "spring.ssl.bundle.pem.redis.truststore.certificate=file:" + authority,
                "delayjob.default-queue=" + queue));
        assertThat(redis.port()).isNotEqualTo(port);
        return TestApplication.start(FullFlow.Beans.class, properties.toArray(String[]::new));
    }

    /** A server that cannot speak TLS ends at once, and says so. */
    private static OwnRedis startWithTls(Path key, int port) {
        try {
            return OwnRedis.start(
                    "--tls-port", Integer.toString(port),
                    "--tls-cert-file", folder.resolve("server.crt").toString(),
                    "--tls-key-file", key.toString(),
                    "--tls-ca-cert-file", folder.resolve("server.crt").toString(),
                    "--tls-auth-clients", "no");
        } catch (EmbeddedRedisException e) {
            if (e.getMessage() != null && e.getMessage().contains("Bad directive")) {
                System.out.println("TlsIT is skipped: this redis-server was built without TLS: " + e.getMessage());
                return abort("this redis-server was built without TLS");
            }
            throw e;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Makes a certificate for 127.0.0.1 that signs itself, {@code <name>.crt}; returns its key. */
    private static Path certificate(String name) throws Exception {
        Path store = folder.resolve(name + ".p12");
        Path key = folder.resolve(name + ".key");
        if (!Files.exists(key)) {
            keytool(store, name);
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                keys.load(in, PASSWORD);
            }
            write(
                    folder.resolve(name + ".crt"),
                    "CERTIFICATE",
                    keys.getCertificate(name).getEncoded());
            write(key, "PRIVATE KEY", keys.getKey(name, PASSWORD).getEncoded());
        }
        return key;
    }

    private static void keytool(Path store, String name) throws IOException, InterruptedException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-validity",
                        "30",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-ext",
                        "bc:c",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD),
                        "-keystore",
                        store.toString())
                .inheritIO()
                .start();
        if (keytool.waitFor() != 0) {
            throw new IllegalStateException("keytool failed");
        }
    }

    private static void write(Path file, String type, byte[] content) {
        String body = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(content);
        try {
            Files.writeString(file, "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.testing.JarProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The shop with the packaged server: a real Spring Boot 3.5, Spring 6.2 and Jackson 2, with delayjob's client beside them. */
class ShopIT {

    private static final String TOKEN = "token-of-the-shop";
    private static final Path ROOT = Path.of("../../..").toAbsolutePath().normalize();
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private static Path folder;

    private static JarProcess server;

    @BeforeAll
    static void startServer() {
        server = JarProcess.start(
                folder,
                ROOT.resolve("server/delayjob-server/target/delayjob-server.jar"),
                JarProcess.SHORT_LIVED,
                List.of(
                        "--delayjob.server.admin-token=" + TOKEN,
                        "--delayjob.delivery.http.open-networks=127.0.0.0/8"));
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void runsItsBeansWhenTheServerCalls() {
        int port = freePort();
        try (ConfigurableApplicationContext shop = start(
                "--server.port=" + port,
                "--spring.application.name=shop",
                "--delayjob.callback.enabled=true",
                "--delayjob.callback.url=http://127.0.0.1:" + port)) {
            assertThat(SpringBootVersion.getVersion()).startsWith("3.5.");
            assertThat(shop.getBean(com.fasterxml.jackson.databind.ObjectMapper.class))
                    .isNotNull();
            RestClient client = RestClient.create("http://127.0.0.1:" + port);

            String type = "shop-remind";
            shop.getBean(DelayJobProducer.class)
                    .submitDelayJob(
                            DelayJobRequest.toTopic(type, new CloseOrder(7, Instant.EPOCH))
                                    .withQueue(type),
                            Duration.ofMillis(200));

            await().atMost(PATIENCE).until(() -> !get(client, "/reminded").isEmpty());
            assertThat(get(client, "/reminded").at("/0/orderId").asLong()).isEqualTo(7);
        }
    }

    @Test
    void runsItsBeansByJobsThatItClaims() {
        try (ConfigurableApplicationContext shop = start("--server.port=0", "--delayjob.worker.enabled=true")) {
            RestClient client = RestClient.create(
                    "http://127.0.0.1:" + shop.getEnvironment().getProperty("local.server.port"));

            client.post().uri("/orders/8?millisToPay=400").retrieve().toBodilessEntity();

            await().atMost(PATIENCE).until(() -> !get(client, "/closed").isEmpty());
            JsonNode closed = get(client, "/closed").get(0);
            assertThat(closed.path("order").path("orderId").asLong()).isEqualTo(8);
            assertThat(closed.path("attempt").asInt()).isEqualTo(1);
            assertThat(get(client, "/reminded").get(0)).isEqualTo(closed.path("order"));
        }
    }

    private static ConfigurableApplicationContext start(String... properties) {
        List<String> all = new ArrayList<>(List.of(
                "--server.address=127.0.0.1",
                "--delayjob.client.url=" + server.url(),
                "--delayjob.client.token=" + TOKEN));
        all.addAll(List.of(properties));
        return new SpringApplicationBuilder(ShopApplication.class).run(all.toArray(String[]::new));
    }

    private static JsonNode get(RestClient client, String path) {
        return JsonMapper.shared().readTree(client.get().uri(path).retrieve().body(String.class));
    }

    private static int freePort() {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}

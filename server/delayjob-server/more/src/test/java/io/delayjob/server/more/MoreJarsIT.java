package io.delayjob.server.more;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.delayjob.delivery.EurekaServer;
import io.delayjob.testing.JarProcess;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.broker.BrokerService;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program with jars of brokers and of a registry beside it, as docs/server.md tells how to fetch them, set up by properties alone. */
@Tag("proof")
class MoreJarsIT {

    private static final Path ROOT = Path.of("../../..").toAbsolutePath().normalize();
    private static final Path PROGRAM = ROOT.resolve("server/delayjob-server/target/delayjob-server.jar");
    private static final String MAIN = "io.delayjob.server.app.ServerApplication";
    private static final String TOKEN = "a-token-of-the-test";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    static Path more;

    @TempDir
    Path folder;

    /** The command of docs/server.md, for everything that there is. */
    @BeforeAll
    static void fetch() throws Exception {
        Process command = new ProcessBuilder(
                        ROOT.resolve("mvnw").toString(),
                        "-B",
                        "-ntp",
                        "-q",
                        "-f",
                        "server/delayjob-server/more",
                        "-P",
                        "activemq,kafka,rabbitmq,rocketmq,eureka",
                        "dependency:copy-dependencies",
                        "-DoutputDirectory=" + more,
                        "-Dmaven.repo.local=" + System.getProperty("maven.repo.local"))
                .directory(ROOT.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(command.getInputStream().readAllBytes());
        assertThat(command.waitFor()).as(said).isZero();
    }

    private static Set<String> classes(Path jar) {
        try (JarFile opened = new JarFile(jar.toFile())) {
            Set<String> classes = new TreeSet<>();
            opened.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(".class") && !name.startsWith("META-INF/") && name.contains("/"))
                    .forEach(classes::add);
            return classes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theFolderHasNoClassThatTheProgramHas() throws IOException {
        Set<String> ofProgram = classes(PROGRAM);
        try (Stream<Path> jars = Files.list(more)) {
            List<String> twice = jars.filter(jar -> classes(jar).stream().anyMatch(ofProgram::contains))
                    .map(jar -> jar.getFileName().toString())
                    .sorted()
                    .toList();
            assertThat(twice).isEmpty();
        }
    }

    private static List<String> properties(String... more) {
        List<String> all = new ArrayList<>(List.of("--delayjob.server.admin-token=" + TOKEN));
        all.addAll(List.of(more));
        return all;
    }

    private static HttpResponse<String> send(String method, String url, String body) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .header("Authorization", "Bearer " + TOKEN)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HTTP.sendAsync(request, HttpResponse.BodyHandlers.ofString()).join();
    }

    private static HttpResponse<String> bind(String url, String topic, String target) {
        return send("PUT", url + "/api/v1/targets/" + topic, "{\"target\": \"" + target + "\"}");
    }

    private static void submit(String url, String topic, String param) {
        HttpResponse<String> stored = send(
                "POST",
                url + "/api/v1/queues/" + topic + "/jobs",
                "{\"topic\": \"%s\", \"param\": \"%s\", \"delay\": \"PT0S\"}".formatted(topic, param));
        assertThat(stored.statusCode()).as(stored.body()).isEqualTo(201);
    }

    @Test
    void deliversToABrokerAndToAServiceOfARegistryByPropertiesAlone() throws Exception {
        Queue<String> called = new ConcurrentLinkedQueue<>();
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/hook", exchange -> {
            called.add(new String(exchange.getRequestBody().readAllBytes()));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        service.start();
        BrokerService broker = broker();
        try (EurekaServer eureka = new EurekaServer()) {
            eureka.register("billing", service.getAddress().getPort(), "");
            String brokerUrl = broker.getTransportConnectors().get(0).getPublishableConnectString();
            try (JarProcess program = JarProcess.startWith(
                    folder,
                    PROGRAM,
                    more,
                    MAIN,
                    JarProcess.SHORT_LIVED,
                    properties(
                            "--spring.activemq.broker-url=" + brokerUrl,
                            "--spring.kafka.bootstrap-servers=127.0.0.1:1",
                            "--spring.rabbitmq.port=1",
                            "--rocketmq.name-server=127.0.0.1:1",
                            "--rocketmq.producer.group=centre",
                            "--eureka.client.service-url.defaultZone=" + eureka.url(),
                            "--eureka.client.register-with-eureka=false",
                            "--eureka.client.registry-fetch-interval-seconds=1",
                            "--delayjob.delivery.http.open-networks=127.0.0.1"))) {
                String url = program.url();
                for (String target : List.of("kafka:orders", "amqp:orders", "rocketmq:orders")) {
                    HttpResponse<String> bound = bind(url, target.replaceFirst(":.*", ""), target);
                    assertThat(bound.statusCode()).as(bound.body()).isEqualTo(200);
                }
                assertThat(bind(url, "paid", "jms:orders").statusCode()).isEqualTo(200);
                assertThat(bind(url, "billed", "lb://billing/hook").statusCode())
                        .isEqualTo(200);

                submit(url, "paid", "order 1");
                submit(url, "billed", "order 2");

                assertThat(received(brokerUrl)).isEqualTo("order 1");
                await().untilAsserted(() -> assertThat(called).isNotEmpty());
                assertThat(called).allMatch(body -> body.contains("order 2"));
            }
        } finally {
            broker.stop();
            service.stop(0);
        }
    }

    private static BrokerService broker() throws Exception {
        BrokerService broker = new BrokerService();
        broker.setPersistent(false);
        broker.setUseJmx(false);
        broker.setUseShutdownHook(false);
        broker.addConnector("tcp://127.0.0.1:0");
        broker.start();
        broker.waitUntilStarted();
        return broker;
    }

    private static String received(String brokerUrl) throws JMSException {
        try (Connection connection = new ActiveMQConnectionFactory(brokerUrl).createConnection()) {
            connection.start();
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            TextMessage message = (TextMessage)
                    session.createConsumer(session.createQueue("orders")).receive(120_000);
            assertThat(message).isNotNull();
            return message.getText();
        }
    }

    /** Java ignores the class path then. */
    @Test
    void aTargetOfABrokerIsRefusedIfTheProgramIsStartedWithMinusJar() {
        List<String> options = new ArrayList<>(JarProcess.SHORT_LIVED);
        options.addAll(List.of("-cp", more + "/*"));
        try (JarProcess program = JarProcess.start(folder, PROGRAM, options, properties())) {
            HttpResponse<String> refused = bind(program.url(), "paid", "jms:orders");
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.body())
                    .contains("no transport of this application delivers to 'jms:orders'")
                    .contains("add the library of its transport");
        }
    }
}

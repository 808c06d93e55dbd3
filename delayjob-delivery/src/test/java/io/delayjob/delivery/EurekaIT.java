package io.delayjob.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.delayjob.JobState;
import io.delayjob.delivery.BindingStatus.State;
import io.delayjob.testing.RealRedis;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.annotation.Configuration;

/** Services that a real Eureka server knows. */
@RealRedis
class EurekaIT {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** One process of a service. */
    private record Instance(HttpServer server, Queue<String> jobs, Queue<String> bodies) {

        String url() {
            return "http://127.0.0.1:" + server.getAddress().getPort();
        }
    }

    /** A registry takes its time on a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static EurekaServer eureka;
    private static DeliveryNode node;
    private final List<Instance> instances = new ArrayList<>();

    @BeforeAll
    static void open() {
        eureka = new EurekaServer();
        node = DeliveryNode.open(
                Application.class,
                DeliveryNode.prefix(),
                beans -> {},
                "spring.application.name=centre",
                "delayjob.delivery.http.open-networks=127.0.0.1",
                "eureka.client.jersey.enabled=false",
                "eureka.client.register-with-eureka=false",
                "eureka.client.registry-fetch-interval-seconds=1",
                "eureka.client.service-url.defaultZone=" + eureka.url(),
                "spring.cloud.loadbalancer.cache.ttl=200ms");
    }

    @AfterAll
    static void close() {
        node.close();
        eureka.close();
    }

    @AfterEach
    void stop() {
        instances.forEach(instance -> instance.server().stop(0));
    }

    /** Starts one that answers its calls by their number with a status, and registers it. */
    private Instance start(String service, IntUnaryOperator status) {
        Instance instance = serve("/hook", status);
        register(service, instance, "");
        return instance;
    }

    private Instance serve(String path, IntUnaryOperator status) {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            Queue<String> jobs = new ConcurrentLinkedQueue<>();
            Queue<String> bodies = new ConcurrentLinkedQueue<>();
            server.createContext(path, exchange -> {
                bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                jobs.add(exchange.getRequestHeaders().getFirst("delayjob-id"));
                exchange.sendResponseHeaders(status.applyAsInt(jobs.size()), -1);
                exchange.close();
            });
            server.start();
            Instance instance = new Instance(server, jobs, bodies);
            instances.add(instance);
            return instance;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void register(String service, Instance instance, String types) {
        eureka.register(service, instance.server().getAddress().getPort(), types);
    }

    private static String service() {
        return "s" + UUID.randomUUID().toString().substring(0, 8);
    }

    private static void awaitCompleted(String topic, int jobs) {
        await().atMost(PATIENCE).until(() -> node.admin().counts(topic).finished() == jobs);
    }

    @Test
    void waitsForAnInstanceAndGivesEachJobToOne() {
        String service = service();
        node.targets().bind(Binding.of(service, "lb://" + service + "/hook"));
        node.submit(service, "first", "x");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(node.targets().find(service).orElseThrow())
                        .satisfies(status -> assertThat(status.state()).isEqualTo(State.HELD))
                        .satisfies(status -> assertThat(status.reason()).contains("has no instance in the registry")));
        assertThat(node.job(service, "first").state()).isEqualTo(JobState.READY);

        Instance one = start(service, call -> 200);
        Instance two = start(service, call -> 200);
        awaitCompleted(service, 1);
        await().atMost(PATIENCE).until(() -> {
            String id = UUID.randomUUID().toString();
            node.submit(service, id, "x");
            await().atMost(PATIENCE).until(() -> node.job(service, id).state() == JobState.COMPLETED);
            return !one.jobs().isEmpty() && !two.jobs().isEmpty();
        });
        assertThat(one.jobs()).doesNotContainAnyElementsOf(two.jobs());
    }

    @Test
    void callsAnotherInstanceOnRetry() {
        String service = service();
        Instance broken = start(service, call -> 400);
        Instance well = start(service, call -> 200);
        awaitKnown(service, 2);
        node.targets().bind(Binding.of(service, "lb://" + service + "/hook").withCalls(2));
        IntStream.range(0, 10).forEach(i -> node.submit(service, "j" + i, i));
        awaitCompleted(service, 10);
        assertThat(well.jobs()).hasSize(10);
        assertThat(broken.jobs()).doesNotHaveDuplicates().isNotEmpty();
        assertThat(broken.jobs())
                .allSatisfy(id -> assertThat(node.job(service, id).attempt()).isEqualTo(2));
    }

    @Test
    void callsEveryInstanceAndOnRetryThoseThatHaveNotTakenTheJob() {
        String service = service();
        Instance one = start(service, call -> 200);
        Instance two = start(service, call -> call == 1 ? 500 : 200);
        Instance three = start(service, call -> 200);
        awaitKnown(service, 3);
        node.targets().bind(Binding.of(service, "lb://" + service + "/hook").withEveryInstance(true));
        node.submit(service, "1", "x");
        awaitCompleted(service, 1);
        assertThat(one.jobs()).hasSize(1);
        assertThat(two.jobs()).hasSize(2);
        assertThat(three.jobs()).hasSize(1);
        assertThat(node.job(service, "1").attempt()).isEqualTo(2);
    }

    /** Before anybody asks for them, so that nobody knows fewer. */
    private static void awaitKnown(String service, int instances) {
        DiscoveryClient registry = node.context().getBean(DiscoveryClient.class);
        await().atMost(PATIENCE).until(() -> registry.getInstances(service).size() == instances);
    }

    @Test
    void callsAnApplicationBackForTheTypesInItsMetadata() {
        String application = service();
        String topic = application + "-mail";
        Instance instance = serve("/hf/delay_queue/work", call -> 200);
        register(application, instance, "letter, mail");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(node.targets().find(topic)).isPresent());
        node.submit(topic, "1", Map.of("to", "you"));
        awaitCompleted(topic, 1);
        assertThat(instance.bodies())
                .singleElement()
                .asString()
                .contains("\"appName\":\"" + application + "\"")
                .contains("\"taskId\":\"1\"")
                .contains("\"taskType\":\"mail\"")
                .contains("\"params\":\"{\\\"to\\\":\\\"you\\\"}\"");
    }

    @Test
    void callsAnApplicationBackThatRegisteredByACallUntilItIsRemoved() {
        String application = service();
        String topic = application + "-mail";
        Instance broken = serve("/mine", call -> 400);
        Instance well = serve("/mine", call -> 200);
        DelayJobClients clients = node.context().getBean(DelayJobClients.class);
        List.of(broken, well)
                .forEach(instance ->
                        clients.register(new DeliveryClient(application, instance.url(), List.of("mail"), "/mine")));
        IntStream.range(0, 6).forEach(i -> node.submit(topic, "j" + i, "p" + i));
        awaitCompleted(topic, 6);
        assertThat(well.jobs()).hasSize(6);
        assertThat(broken.jobs()).doesNotHaveDuplicates();
        assertThat(well.bodies()).anyMatch(body -> body.contains("\"params\":\"p1\""));

        assertThat(clients.remove(application, broken.url())).isTrue();
        assertThat(clients.remove(application, well.url())).isTrue();
        assertThat(clients.list()).noneMatch(client -> client.application().equals(application));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(
                                node.targets().find(topic).orElseThrow().reason())
                        .contains("no process of application '" + application + "' has registered type 'mail'"));
    }

    @Test
    void refusesClientsThatCannotBeCalledBack() {
        DelayJobClients clients = node.context().getBean(DelayJobClients.class);
        assertThatThrownBy(() ->
                        clients.register(new DeliveryClient("shop", "http://169.254.169.254/", List.of("mail"), null)))
                .hasMessageContaining("is not public");
        assertThatThrownBy(() -> new DeliveryClient("shop", "http://x/", List.of(), null))
                .hasMessageContaining("1 to 100 types");
        assertThatThrownBy(() -> new DeliveryClient("shop", "http://x/", List.of("a b"), null))
                .hasMessageContaining("'shop-a b'");
        assertThat(node.targets().find("shop-mail")).isEmpty();
    }

    @Test
    void refusesWhatNamesNoServiceAndItsOwnApi() {
        assertThatThrownBy(() -> node.targets().bind(Binding.of("a", "lb:///hook")))
                .hasMessageContaining("must have the name of a service and a path");
        assertThatThrownBy(() -> node.targets().bind(Binding.of("a", "lb://user@billing/hook")))
                .hasMessageContaining("must have the name of a service and a path");
        assertThatThrownBy(() -> node.targets().bind(Binding.of("a", "lb://centre/api/v1/queues/x/jobs")))
                .hasMessageContaining("round in a circle");
    }
}

package io.delayjob.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.delayjob.DelayJobRequest;
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
import java.util.concurrent.CountDownLatch;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.annotation.Configuration;

/** Services that a real Eureka server knows. */
@Tag("proof")
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
    private static final Duration PATIENCE = Duration.ofMinutes(3);

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
    void bindsEveryTypeOfTheRegistryWhateverItsText() {
        String application = service();
        Instance whole = serve("/hf/delay_queue/work", call -> 200);
        Instance part = serve("/hf/delay_queue/work", call -> 200);
        String longest = "x".repeat(128);
        register(application + "-col", whole, longest + "y, x, " + longest);
        register(application, part, "col-x, to: you / 订单");
        deliversToOne(new ClientType(application + "-col", "x"), whole);
        deliversToOne(new ClientType(application + "-col", longest), whole);
        deliversToOne(new ClientType(application, "col-x"), part);
        deliversToOne(new ClientType(application, "to: you / 订单"), part);
        assertThat(whole.bodies()).hasSize(2);
        assertThat(part.bodies()).hasSize(2);
    }

    private static void deliversToOne(ClientType type, Instance instance) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(node.targets().find(type.topic())).isPresent());
        node.submit(DelayJobRequest.toTopic(type.topic(), "x").withId("1"));
        awaitCompleted(type.queue(), 1);
        assertThat(instance.bodies()).anyMatch(body -> body.contains("\"taskType\":\"" + type.type() + "\""));
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

    /** The other node asks the same Redis, and no registry. */
    @Test
    void aBacklogOfAnApplicationInTheRegistryIsLeftAloneByANodeWithoutTheRegistry() {
        String application = service();
        String topic = application + "-mail";
        CountDownLatch working = new CountDownLatch(1);
        register(application, serve("/hf/delay_queue/work", call -> statusOnce(working)), "mail");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(node.targets().find(topic)).isPresent());
        node.awaitNoted(topic);
        try (DeliveryNode blind = blind(
                DeliveryNode.Application.class,
                node.context().getEnvironment().getRequiredProperty("delayjob.key-prefix"))) {
            IntStream.range(0, 50).forEach(i -> node.submit(topic, "j" + i, i));
            awaitGivenUp(blind);
            working.countDown();
            awaitCompleted(topic, 50);
            assertThat(node.admin().counts(topic).dead()).isZero();
        }
    }

    @Test
    void aNodeThatHasNotReachedItsRegistryGivesNoJobsUp() {
        try (DeliveryNode blind = blind(
                Application.class,
                DeliveryNode.prefix(),
                "eureka.client.jersey.enabled=false",
                "eureka.client.register-with-eureka=false",
                "eureka.client.service-url.defaultZone=http://127.0.0.1:1/eureka/")) {
            blind.targets().bind(Binding.of("service", "lb://billing/hook"));
            blind.targets().bind(Binding.of("shop-mail", "client://shop/mail"));
            blind.submit("service", "1", "x");
            blind.submit("shop-mail", "1", "x");
            awaitGivenUp(blind);
            assertThat(blind.job("service", "1").state()).isEqualTo(JobState.READY);
            assertThat(blind.job("shop-mail", "1").state()).isEqualTo(JobState.READY);
        }
    }

    private static int statusOnce(CountDownLatch working) {
        try {
            working.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 200;
    }

    private static DeliveryNode blind(Class<?> source, String prefix, String... properties) {
        List<String> all = new ArrayList<>(
                List.of("delayjob.delivery.http.open-networks=127.0.0.1", "delayjob.delivery.no-instance-timeout=1s"));
        all.addAll(List.of(properties));
        return DeliveryNode.open(source, prefix, beans -> {}, all.toArray(String[]::new));
    }

    /** Waits until a node has given up a job of an application that had registered by a call: so it would have given up others. */
    private static void awaitGivenUp(DeliveryNode blind) {
        String gone = service();
        DelayJobClients clients = blind.context().getBean(DelayJobClients.class);
        clients.register(new DeliveryClient(gone, "http://127.0.0.1:1", List.of("mail"), null));
        assertThat(clients.remove(gone, "http://127.0.0.1:1")).isTrue();
        blind.submit(gone + "-mail", "1", "x");
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(blind.job(gone + "-mail", "1").state()).isEqualTo(JobState.DEAD));
    }

    @Test
    void refusesClientsThatCannotBeCalledBack() {
        DelayJobClients clients = node.context().getBean(DelayJobClients.class);
        assertThatThrownBy(() ->
                        clients.register(new DeliveryClient("shop", "http://169.254.169.254/", List.of("mail"), null)))
                .hasMessageContaining("must name a host that may be called");
        assertThatThrownBy(() -> new DeliveryClient("shop", "http://x/", List.of(), null))
                .hasMessageContaining("1 to 100 types");
        assertThatThrownBy(() -> new DeliveryClient("shop", "http://x/", List.of("a,b"), null))
                .hasMessageContaining("'a,b'");
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

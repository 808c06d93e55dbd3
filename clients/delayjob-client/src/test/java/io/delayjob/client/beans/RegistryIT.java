package io.delayjob.client.beans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobName;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.JobState;
import io.delayjob.client.TestServer;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.BindingStatus;
import io.delayjob.delivery.DelayJobTargets;
import io.delayjob.testing.RealRedis;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.netflix.eureka.server.EnableEurekaServer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.client.ReactorResourceFactory;

/** Applications that a server finds on a real Eureka server by the types that their starter names in their metadata. */
@Tag("proof")
@RealRedis
class RegistryIT {

    @EnableAutoConfiguration
    @EnableEurekaServer
    static class Eureka {}

    /** The jobs that ran in a process, one text for each attempt. */
    static final class Ran extends ConcurrentLinkedQueue<String> {}

    @DelayJobName("mail")
    static final class MailJob implements DelayJob<String> {

        private final Ran ran;
        private final boolean failsFirst;

        MailJob(Ran ran, @Value("${worker.fails-first:false}") boolean failsFirst) {
            this.ran = ran;
            this.failsFirst = failsFirst;
        }

        @Override
        public void execute(JobExecution<String> execution) {
            ran.add(execution.param());
            if (failsFirst && execution.attempt() == 1) {
                throw new IllegalStateException("not at first");
            }
        }
    }

    /** Not found by the server's scan. */
    @EnableAutoConfiguration
    @Import({Ran.class, MailJob.class})
    static class Worker {

        /** Its own, because an application that stops ends those that all in a JVM share, the server's too. */
        @Bean
        static ReactorResourceFactory threads() {
            ReactorResourceFactory threads = new ReactorResourceFactory();
            threads.setUseGlobalResources(false);
            threads.setShutdownQuietPeriod(Duration.ZERO);
            return threads;
        }
    }

    /** A registry takes its time on a busy machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final String PREFIX = "registry-" + UUID.randomUUID();
    private static ConfigurableApplicationContext eureka;
    private static TestServer server;

    @BeforeAll
    static void open() {
        eureka = new SpringApplicationBuilder(Eureka.class)
                .web(WebApplicationType.SERVLET)
                .properties(
                        "server.port=0",
                        "server.address=127.0.0.1",
                        "spring.main.banner-mode=off",
                        "delayjob.enabled=false",
                        "eureka.client.jersey.enabled=false",
                        "eureka.client.register-with-eureka=false",
                        "eureka.client.fetch-registry=false",
                        "eureka.server.response-cache-update-interval-ms=200")
                .run();
        server = centre();
    }

    @AfterAll
    static void close() {
        server.close();
        eureka.close();
    }

    private static String registry() {
        return "eureka.client.service-url.defaultZone=http://127.0.0.1:%s/eureka/"
                .formatted(eureka.getEnvironment().getRequiredProperty("local.server.port"));
    }

    private static TestServer centre() {
        return new TestServer(
                "delayjob.key-prefix=" + PREFIX,
                "delayjob.retention.time=1h",
                "delayjob.backoff.initial=100ms",
                "eureka.client.enabled=true",
                "eureka.client.jersey.enabled=false",
                "eureka.client.register-with-eureka=false",
                "eureka.client.registry-fetch-interval-seconds=1",
                registry(),
                "spring.cloud.loadbalancer.cache.ttl=200ms");
    }

    private static ConfigurableApplicationContext worker(String application, String... properties) {
        return new SpringApplicationBuilder(Worker.class)
                .web(WebApplicationType.SERVLET)
                .properties(
                        "server.port=0",
                        "server.address=127.0.0.1",
                        "spring.main.banner-mode=off",
                        "spring.application.name=" + application,
                        "delayjob.enabled=false",
                        "delayjob.callback.enabled=true",
                        "delayjob.callback.path=/run",
                        "eureka.client.jersey.enabled=false",
                        "eureka.client.fetch-registry=false",
                        "eureka.instance.hostname=127.0.0.1",
                        "eureka.instance.instance-id=" + UUID.randomUUID(),
                        registry())
                .properties(properties)
                .run();
    }

    private static void submit(String topic, String id) {
        server.bean(DelayJobProducer.class)
                .submit(DelayJobRequest.toTopic(topic, id).withQueue(topic).withId(id), Duration.ZERO);
    }

    private static BindingStatus target(String topic) {
        return server.bean(DelayJobTargets.class).find(topic).orElseThrow();
    }

    private static void awaitState(String topic, String id, JobState state) {
        await().atMost(PATIENCE)
                .until(() -> server.admin().find(topic, id).orElseThrow().state() == state);
    }

    private static void awaitInstances(String application, int count) {
        DiscoveryClient known = server.bean(DiscoveryClient.class);
        await().atMost(PATIENCE).until(() -> known.getInstances(application).size() == count);
    }

    /** Deliveries go to the instances that were known up to a second ago. */
    private static void awaitTheNextLooks() {
        DiscoveryClient known = server.bean(DiscoveryClient.class);
        await().during(Duration.ofSeconds(3))
                .atMost(PATIENCE)
                .until(() -> known.getInstances("papers").size() == 2);
    }

    @Test
    void findsAnApplicationByItsMetadataAndKnowsItsTypesAfterARestart() {
        String topic = "shop-mail";
        try (ConfigurableApplicationContext worker = worker("shop")) {
            awaitInstances("shop", 1);
            assertThat(server.bean(DiscoveryClient.class)
                            .getInstances("shop")
                            .get(0)
                            .getMetadata())
                    .containsEntry("delay-queue:task", "mail")
                    .containsEntry("delay-queue:path", "/run");
            await().atMost(PATIENCE)
                    .until(() -> server.bean(DelayJobTargets.class).find(topic).isPresent());
            submit(topic, "first");
            awaitState(topic, "first", JobState.COMPLETED);
            assertThat(worker.getBean(Ran.class)).containsExactly("first");
        }
        awaitInstances("shop", 0);
        server.close();
        server = centre();

        // Nobody is there who could have told it. It reads them from Redis once it has started.
        await().atMost(PATIENCE)
                .until(() -> server.bean(DelayJobTargets.class).find(topic).isPresent());
        assertThat(target(topic).binding().target()).isEqualTo("client://shop/mail");
        submit(topic, "second");
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(server.admin().explain(topic, "second").text())
                                .contains("no process of application 'shop' has registered type 'mail'"));

        try (ConfigurableApplicationContext worker = worker("shop")) {
            awaitState(topic, "second", JobState.COMPLETED);
            assertThat(worker.getBean(Ran.class)).containsExactly("second");
        }
    }

    @Test
    void callsEveryProcessOfAnApplicationAndOnRetryThoseThatHaveNotRunTheJob() {
        String topic = "papers-mail";
        try (ConfigurableApplicationContext well = worker("papers");
                ConfigurableApplicationContext failing = worker("papers", "worker.fails-first=true")) {
            awaitInstances("papers", 2);
            awaitTheNextLooks();
            server.bean(DelayJobTargets.class)
                    .bind(Binding.of(topic, "client://papers/mail").withEveryInstance(true));
            submit(topic, "all");
            awaitState(topic, "all", JobState.COMPLETED);
            Queue<String> once = well.getBean(Ran.class);
            assertThat(once).containsExactly("all");
            assertThat(List.copyOf(failing.getBean(Ran.class))).containsExactly("all", "all");
        }
    }
}

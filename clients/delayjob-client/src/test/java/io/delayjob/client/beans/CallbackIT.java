package io.delayjob.client.beans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.AckMode;
import io.delayjob.Acknowledgment;
import io.delayjob.DelayJob;
import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobName;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.client.TestServer;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.DelayJobClients;
import io.delayjob.delivery.DelayJobTargets;
import io.delayjob.testing.RealRedis;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.MDC;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.messaging.handler.annotation.Header;

/** Applications without Redis whose beans and listeners a real server calls back. */
@RealRedis
class CallbackIT {

    private static final String OLD = "whsec_b2xkIG9sZCBvbGQgb2xkIG9sZCBvbGQgb2xk";
    private static final String NEW = "whsec_bmV3IG5ldyBuZXcgbmV3IG5ldyBuZXcgbmV3";
    private static TestServer server;

    record Mail(String to, long number) {}

    /** The jobs that ran in a process, one text for each attempt. */
    static final class Ran extends ConcurrentLinkedQueue<String> {}

    @DelayJobName("mail")
    static final class MailJob implements DelayJob<Mail> {

        private final Ran ran;

        MailJob(Ran ran) {
            this.ran = ran;
        }

        @Override
        public void execute(JobExecution<Mail> execution) {
            ran.add(execution.id() + " " + execution.param() + " attempt " + execution.attempt() + " of "
                    + execution.maxAttempts() + ", tags " + execution.options().tags() + ", priority "
                    + execution.options().priority());
            assertThat(execution.submittedAt()).isBeforeOrEqualTo(execution.dueAt());
            if (execution.param().to().equals("nobody") && execution.attempt() == 1) {
                throw new IllegalStateException("no such mailbox");
            }
            execution.result("sent");
        }
    }

    static final class Letters {

        private final Ran ran;

        Letters(Ran ran) {
            this.ran = ran;
        }

        @DelayJobListener(topic = "letter")
        void write(String text, @Header("tenant") String tenant) {
            ran.add(text + " of " + tenant + ", logged as " + MDC.get("delayjob.queue") + " " + MDC.get("delayjob.id")
                    + " " + MDC.get("delayjob.attempt"));
        }
    }

    static final class ByHand {

        @DelayJobListener(topic = "by-hand", ackMode = AckMode.MANUAL)
        void run(String text, Acknowledgment acknowledgment) {
            acknowledgment.acknowledge();
        }
    }

    /** Not found by the server's scan. */
    @EnableAutoConfiguration
    @Import({Ran.class, MailJob.class, Letters.class})
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

    @BeforeAll
    static void open() {
        server = new TestServer(
                "delayjob.delivery.http.open-networks=127.0.0.1",
                "delayjob.retention.time=1h",
                "delayjob.backoff.initial=100ms",
                "delayjob.delivery.no-instance-timeout=10s");
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static ConfigurableApplicationContext worker(
            WebApplicationType type, String application, String... properties) throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        return new SpringApplicationBuilder(Worker.class)
                .web(type)
                .properties(
                        "server.port=" + port,
                        "server.address=127.0.0.1",
                        "spring.main.banner-mode=off",
                        "spring.application.name=" + application,
                        "eureka.client.enabled=false",
                        "delayjob.enabled=false",
                        "delayjob.client.url=" + server.settings().url(),
                        "delayjob.client.token=" + server.settings().token(),
                        "delayjob.callback.enabled=true",
                        "delayjob.callback.url=http://127.0.0.1:" + port)
                .properties(properties)
                .run();
    }

    private static void submit(ConfigurableApplicationContext worker, String topic, String id, Object param) {
        var unused = worker.getBean(DelayJobProducer.class)
                .submit(
                        DelayJobRequest.toTopic(topic, param)
                                .withQueue(topic)
                                .withId(id)
                                .withTags("shop", "Möbel")
                                .withPriority(7)
                                .withHeader("tenant", "Müller & 50 %"),
                        Duration.ZERO);
    }

    private static JobSnapshot job(String queue, String id) {
        return server.admin().find(queue, id).orElseThrow();
    }

    private static void awaitTopic(String topic) {
        await().until(() -> server.bean(DelayJobTargets.class).find(topic).isPresent());
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void runsBeansAndListenersForTheJobsThatItSubmitsToTheServer(WebApplicationType type) throws IOException {
        String application = "shop-" + type.name().toLowerCase(Locale.ROOT);
        try (ConfigurableApplicationContext worker = worker(type, application)) {
            awaitTopic(application + "-mail");
            awaitTopic(application + "-letter");
            submit(worker, application + "-mail", "1", new Mail("you", 9_007_199_254_740_993L));
            submit(worker, application + "-letter", "2", "\"dear\" reader");
            Queue<String> ran = worker.getBean(Ran.class);
            await().untilAsserted(() -> assertThat(ran)
                    .containsExactlyInAnyOrder(
                            "1 Mail[to=you, number=9007199254740993] attempt 1 of 10, tags [shop, Möbel], priority 7",
                            "\"dear\" reader of Müller & 50 %, logged as " + application + "-letter 2 1"));
            await().untilAsserted(
                            () -> assertThat(job(application + "-mail", "1").result())
                                    .isEqualTo("{\"status\":200,\"body\":\"sent\"}"));
        }
        assertThat(server.bean(DelayJobClients.class).list())
                .noneMatch(client -> client.application().equals(application));
    }

    @Test
    void aJobThatFailsIsTriedByAnotherProcessAndOpensNoBreaker() throws IOException {
        try (ConfigurableApplicationContext one = worker(WebApplicationType.SERVLET, "pair");
                ConfigurableApplicationContext two = worker(WebApplicationType.REACTIVE, "pair")) {
            await().until(() -> server.bean(DelayJobClients.class).list().stream()
                            .filter(client -> client.application().equals("pair"))
                            .count()
                    == 2);
            awaitCalls("pair-mail", one, two);
            for (int i = 0; i < 10; i++) {
                submit(one, "pair-mail", "f" + i, new Mail("nobody", i));
            }
            Queue<String> first = one.getBean(Ran.class);
            Queue<String> second = two.getBean(Ran.class);
            await().until(() -> failing(first) + failing(second) == 20);
            for (int i = 0; i < 10; i++) {
                String id = "f" + i + " ";
                assertThat(first.stream().filter(ran -> ran.startsWith(id))).hasSize(1);
                assertThat(second.stream().filter(ran -> ran.startsWith(id))).hasSize(1);
            }
        }
    }

    /** The server knows of a new process after a second or two. */
    private static void awaitCalls(
            String topic, ConfigurableApplicationContext one, ConfigurableApplicationContext two) {
        await().until(() -> {
            submit(one, topic, "probe-" + UUID.randomUUID(), new Mail("you", 0));
            return !one.getBean(Ran.class).isEmpty() && !two.getBean(Ran.class).isEmpty();
        });
    }

    private static long failing(Queue<String> ran) {
        return ran.stream().filter(job -> job.startsWith("f")).count();
    }

    @Test
    void runsOnlyWhatIsSignedWithOneOfItsSecrets() throws IOException {
        DelayJobTargets targets = server.bean(DelayJobTargets.class);
        try (ConfigurableApplicationContext worker =
                worker(WebApplicationType.SERVLET, "signed", "delayjob.callback.secrets=" + NEW + "," + OLD)) {
            awaitTopic("signed-mail");
            submit(worker, "signed-mail", "1", new Mail("you", 1));
            await().untilAsserted(() ->
                    assertThat(job("signed-mail", "1").lastError()).contains("HTTP 401", "not signed"));
            targets.bind(Binding.of("signed-mail", "client://signed/mail").withSecrets(OLD));
            await().untilAsserted(
                            () -> assertThat(job("signed-mail", "1").state()).isEqualTo(JobState.COMPLETED));
            assertThat(worker.getBean(Ran.class)).hasSize(1);
        }
    }

    @Test
    void jobsWaitWhileNoProcessIsThereAndAreThenDead() throws IOException {
        try (ConfigurableApplicationContext worker = worker(WebApplicationType.SERVLET, "away")) {
            awaitTopic("away-mail");
            assertThat(worker.isActive()).isTrue();
        }
        server.bean(DelayJobProducer.class)
                .submit(
                        DelayJobRequest.toTopic("away-mail", new Mail("you", 1))
                                .withQueue("away-mail")
                                .withId("1"),
                        Duration.ZERO);
        await().untilAsserted(() -> assertThat(
                        server.admin().explain("away-mail", "1").text())
                .contains("no process of application 'away' has registered type 'mail'"));
        await().untilAsserted(() -> assertThat(job("away-mail", "1").state()).isEqualTo(JobState.DEAD));
    }

    @Test
    void refusesCallsThatItCannotRun() throws Exception {
        try (ConfigurableApplicationContext worker = worker(WebApplicationType.SERVLET, "refusing")) {
            assertRefused(worker, "no JSON", 400, "the body is not JSON");
            assertRefused(worker, "[]", 400, "must be a JSON object with taskId");
            assertRefused(worker, "{'taskId':'1','taskType':'parcel'}", 404, "there are [letter, mail]");
            assertRefused(worker, "{'taskId':'1','taskType':'mail','params':'{\\'to\\':7'}", 422, "does not bind to");
            assertRefused(worker, "{'taskId':'1','taskType':'mail','params':null}", 422, "does not bind to");
            assertThat(worker.getBean(Ran.class)).isEmpty();
        }
    }

    private static void assertRefused(ConfigurableApplicationContext worker, String body, int status, String message)
            throws Exception {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(
                                        URI.create(worker.getEnvironment().getRequiredProperty("delayjob.callback.url")
                                                + "/hf/delay_queue/work"))
                                .POST(HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(body).isEqualTo(status);
        assertThat(answer.body()).contains(message);
    }

    @Test
    void saysAtTheStartWhatCannotWork() {
        assertThatThrownBy(() -> worker(WebApplicationType.SERVLET, "short", "delayjob.callback.secrets=whsec_c2hvcnQ=")
                        .close())
                .hasRootCauseMessage("a secret must be whsec_ followed by base64 of 24 to 64 bytes; this one has 5");
        assertThatThrownBy(() -> new SpringApplicationBuilder(Worker.class, ByHand.class)
                        .web(WebApplicationType.SERVLET)
                        .properties(
                                "server.port=0",
                                "delayjob.enabled=false",
                                "eureka.client.enabled=false",
                                "spring.application.name=by-hand",
                                "delayjob.client.url=" + server.settings().url(),
                                "delayjob.client.token=x",
                                "delayjob.callback.enabled=true",
                                "delayjob.callback.url=http://127.0.0.1:1")
                        .run()
                        .close())
                .hasStackTraceContaining("acknowledges by hand");
    }
}

package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.Limits;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.Api.Answer;
import io.delayjob.server.EventClient.Event;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.redisson.api.RKeys;
import org.redisson.api.RScript;
import org.redisson.api.options.KeysScanOptions;
import org.redisson.client.codec.StringCodec;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Two servers and a node with a listener, and those who follow what happens on all of them. */
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EventsIT {

    private static final String JOB = "{\"id\": \"%s\", \"topic\": \"greet\", \"delay\": \"PT0S\"}";

    private final String prefix = TestServer.prefix();
    private TestServer one;
    private TestServer other;
    private ConfigurableApplicationContext node;

    /** A node whose listener runs the jobs of the queue beans, and fails at first where the id says so. */
    @EnableAutoConfiguration
    static class Beans {

        @DelayJobListener(topic = "greet", queue = "beans", maxAttempts = "2")
        void greet(JobExecution<?> execution) {
            if (execution.id().startsWith("failing") && execution.attempt() == 1) {
                throw new IllegalStateException("not yet");
            } else if (execution.id().startsWith("dead")) {
                throw new IllegalStateException("never");
            }
        }
    }

    @BeforeAll
    void start() {
        one = TestServer.start(prefix, new String[] {"delayjob.server.events.kept=100"});
        other = TestServer.start(prefix, new String[] {"delayjob.server.events.kept=100"});
        node = new SpringApplicationBuilder(Beans.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.main.banner-mode=off",
                        "--delayjob.redis.url=" + RedisServer.shared().url(),
                        "--delayjob.key-prefix=" + prefix,
                        "--delayjob.node=beans-1",
                        "--delayjob.backoff.initial=10ms");
    }

    @AfterAll
    void stop() {
        node.close();
        other.close();
        one.close();
    }

    private static String submit(TestServer server, String queue, String id) {
        Answer answer = server.api().post("/queues/" + queue + "/jobs", JOB.formatted(id));
        assertThat(answer.status()).as("%s", answer).isEqualTo(201);
        return id;
    }

    @Test
    void whatHappensOnANodeWithBeansReachesASubscriberOfAnyServer() {
        try (EventClient client = EventClient.listen(one, "?queue=beans")) {
            submit(other, "beans", "fine");
            submit(other, "beans", "failing");
            submit(other, "beans", "dead");
            node.getBean(DelayJobProducer.class)
                    .submitDelayJob(
                            DelayJobRequest.toTopic("greet").withId("theirs").withQueue("beans"), Duration.ofHours(1));
            other.api().post("/queues/beans/jobs/theirs/reschedule", "{\"delay\": \"PT2H\"}");
            other.api().delete("/queues/beans/jobs/theirs");
            // A pause gives back what a node has claimed and not begun, such as a retry that is nearly due.
            await().untilAsserted(() -> {
                assertThat(client.kindsOf("fine")).contains("completed");
                assertThat(client.kindsOf("failing")).contains("completed");
                assertThat(client.kindsOf("dead")).contains("buried");
            });
            node.getBean(DelayJobAdmin.class).pause("beans");
            other.api().post("/queues/beans/resume");
            node.getBean(DelayJobAdmin.class).setLimits("beans", "k", Limits.NONE.withConcurrency(1));
            node.getBean(DelayJobAdmin.class).pause("beans", "k");
            other.api().delete("/queues/beans/limits/keys/k");

            await().untilAsserted(() -> {
                // Their order is nearly that in which they happened.
                assertThat(kindsWithoutReleases(client, "fine"))
                        .containsExactlyInAnyOrder("submitted", "claimed", "completed");
                assertThat(kindsWithoutReleases(client, "failing"))
                        .containsExactlyInAnyOrder("submitted", "claimed", "retried", "claimed", "completed");
                assertThat(kindsWithoutReleases(client, "dead"))
                        .containsExactlyInAnyOrder("submitted", "claimed", "retried", "claimed", "buried");
                assertThat(kindsWithoutReleases(client, "theirs"))
                        .containsExactlyInAnyOrder("submitted", "rescheduled", "cancelled");
                assertThat(client.kindsOf(""))
                        .containsExactlyInAnyOrder("paused", "resumed", "limited", "paused", "unlimited");
            });

            assertThat(client.events())
                    .filteredOn(event -> !event.kind().equals("released"))
                    .hasSize(3 + 5 + 5 + 3 + 5);
            assertThat(client.of("", "limited").data().path("key").asString()).isEqualTo("k");
            Event completed = client.of("fine", "completed");
            assertThat(completed.data().path("queue").asString()).isEqualTo("beans");
            assertThat(completed.data().path("topic").asString()).isEqualTo("greet");
            assertThat(completed.data().path("attempt").asInt()).isEqualTo(1);
            assertThat(completed.data().path("node").asString()).isEqualTo("beans-1");
            assertThat(completed.data().path("at").asString()).endsWith("Z");
            assertThat(client.of("failing", "retried").data().path("error").asString())
                    .isEqualTo("java.lang.IllegalStateException: not yet");
            assertThat(client.of("dead", "buried").data().path("error").asString())
                    .endsWith("java.lang.IllegalStateException: never");
        }
    }

    /** The kinds of a job's events. A node that stalls before an attempt begins gives the job back, and claims it again. */
    private static List<String> kindsWithoutReleases(EventClient client, String job) {
        return client.kindsOf(job).stream()
                .filter(kind -> !kind.equals("released"))
                .toList();
    }

    @Test
    void whoComesBackAtAnotherServerMissesNothingAndGetsNothingTwice() {
        EventClient first = EventClient.listen(one, "?queue=return&kind=submitted");
        submit(one, "return", "before");
        await().until(() -> first.events().size() == 1);
        first.close();
        List<String> ids = IntStream.range(0, 40)
                .mapToObj(i -> submit(i % 2 == 0 ? one : other, "return", "meanwhile-" + i))
                .toList();

        try (EventClient second = EventClient.listen(other, "?queue=return&kind=submitted", first.lastId())) {
            submit(one, "return", "after");
            await().until(() -> second.events().size() >= 41);

            assertThat(second.events().subList(0, 40))
                    .extracting(Event::id)
                    .doesNotHaveDuplicates()
                    .isSortedAccordingTo(EventClient.BY_PLACE);
            assertThat(second.events().stream().map(Event::job).collect(Collectors.toSet()))
                    .containsAll(ids)
                    .contains("after")
                    .doesNotContain("before")
                    .hasSize(41);
            assertThat(second.events()).hasSize(41);
        }
    }

    @Test
    void whoComesBackTooLateIsToldThatEventsAreMissing() {
        EventClient first = EventClient.listen(one, "?queue=late");
        submit(one, "late", "before");
        await().until(() -> !first.events().isEmpty());
        first.close();
        String jobs = IntStream.range(0, 200)
                .mapToObj(i -> "{\"topic\": \"t\", \"delay\": \"PT1H\"}")
                .collect(Collectors.joining(","));
        // Their events are appended after the answer.
        await().until(() -> {
            assertThat(one.api()
                            .post("/queues/other/jobs/batch", "{\"jobs\": [" + jobs + "]}")
                            .status())
                    .isEqualTo(200);
            return !isKept(first.lastId());
        });

        try (EventClient second = EventClient.listen(other, "?queue=late", first.lastId())) {
            submit(one, "late", "after");
            await().until(() -> second.kindsOf("after").contains("submitted"));
            assertThat(second.events().get(0).kind()).isEqualTo("gap");
            assertThat(second.events().get(0).data().path("reason").asString()).isEqualTo("removed");
        }
    }

    private boolean isKept(String id) {
        String found = one.bean(DelayJobRedis.class)
                .redisson()
                .getScript(StringCodec.INSTANCE)
                .eval(
                        RScript.Mode.READ_ONLY,
                        "return tostring(#redis.call('xrange', KEYS[1], ARGV[1], ARGV[1]))",
                        RScript.ReturnType.VALUE,
                        List.of(prefix + ":{events}"),
                        id);
        return found.equals("1");
    }

    @Test
    void aStreamThatIsLostIsAGapToo() {
        try (EventClient client = EventClient.listen(one, "?queue=lost&kind=submitted")) {
            submit(one, "lost", "before");
            await().until(() -> client.events().size() == 1);
            one.bean(DelayJobRedis.class)
                    .redisson()
                    .getKeys()
                    .delete(prefix + ":{events}", prefix + ":{events}:wanted");
            await().until(() -> client.events().size() == 2);

            await().untilAsserted(() -> {
                submit(other, "lost", "after-" + UUID.randomUUID());
                assertThat(client.events().size()).isGreaterThan(2);
            });
            assertThat(client.events()).extracting(Event::kind).startsWith("submitted", "gap", "submitted");
        }
    }

    @Test
    void aServerThatStopsEndsItsStreams() {
        TestServer stopping = TestServer.start(prefix, new String[0]);
        EventClient client = EventClient.listen(stopping, "");

        stopping.close();

        await().until(client::hasEnded);
        assertThat(client.wasCutOff()).isFalse();
    }

    @Test
    void anIdThatIsYetToComeIsAGapToo() {
        try (EventClient client = EventClient.listen(one, "?queue=future", "999999999999999-0")) {
            submit(one, "future", "a");
            await().until(() -> client.kindsOf("a").contains("submitted"));
            assertThat(client.events().get(0).kind()).isEqualTo("gap");
        }
    }

    @Test
    void aTokenHearsOfItsQueuesOnly() {
        Api shop = one.api(one.api()
                .post("/tokens", "{\"name\": \"shop\", \"roles\": [\"read\"], \"queues\": [\"shop-*\"]}")
                .json()
                .path("token")
                .asString());
        try (EventClient client = EventClient.listen(shop, "", null)) {
            submit(one, "bank", "theirs");
            submit(one, "shop-mail", "ours");

            await().until(() -> client.kindsOf("ours").contains("submitted"));
            assertThat(client.events())
                    .extracting(event -> event.data().path("queue").asString())
                    .containsOnly("shop-mail");
        }
        assertThat(shop.get("/events?queue=bank").problem()).isEqualTo("no-such-queue");
        assertThat(shop.get("/events?queue=shop-mail&queue=bank").problem()).isEqualTo("no-such-queue");
    }

    @Test
    void aStreamEndsWithItsToken() {
        Answer made = one.api().post("/tokens", "{\"name\": \"brief\", \"roles\": [\"read\"]}");
        try (EventClient client =
                EventClient.listen(other.api(made.json().path("token").asString()), "", null)) {
            assertThat(one.api().delete("/tokens/brief").status()).isEqualTo(204);

            await().until(client::hasEnded);
        }
    }

    @Test
    void whatIsWrongIsNamed() {
        assertThat(one.api().get("/events?kind=finished").json().path("detail").asString())
                .contains("finished", "buried, cancelled, claimed, completed");
        assertThat(one.api().withHeader("Last-Event-ID", "x").get("/events").problem())
                .isEqualTo("invalid-value");
        Answer refused = one.api()
                .withHeader("Last-Event-ID", "x")
                .withHeader("Accept", "text/event-stream")
                .get("/events");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.problem()).isEqualTo("invalid-value");
    }

    @Test
    void aServerHasSoManySubscribersAndNoMore() {
        // A server of its own: those of other tests may not have left yet.
        try (TestServer few = TestServer.start(prefix, new String[] {"delayjob.server.events.max-subscribers=2"});
                EventClient second = EventClient.listen(few, "")) {
            EventClient first = EventClient.listen(few, "");
            Answer refused = few.api().get("/events");

            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.problem()).isEqualTo("too-many-subscribers");
            assertThat(refused.response().headers().firstValue("Retry-After")).isPresent();
            first.close();
            await().untilAsserted(() -> EventClient.listen(few, "").close());
            assertThat(second.hasEnded()).isFalse();
        }
    }

    @Test
    void nothingIsAppendedWhereNobodyFollows() {
        String alone = TestServer.prefix();
        try (TestServer server = TestServer.start(alone, new String[0])) {
            submit(server, "quiet", "a");
            server.api().post("/queues/quiet/claims", "{\"wait\": \"PT60S\"}");

            DelayJobRedis redis = server.bean(DelayJobRedis.class);
            RKeys keys = redis.redisson().getKeys();
            assertThat(keys.getKeys(KeysScanOptions.defaults().pattern(alone + ":{events}*")))
                    .isEmpty();
        }
    }
}

package io.delayjob.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobState;
import io.delayjob.delivery.BindingStatus.State;
import io.delayjob.delivery.internal.running.Couriers;
import io.delayjob.delivery.internal.watching.TargetHealth;
import io.delayjob.delivery.internal.watching.TargetMeters;
import io.delayjob.delivery.spi.DeliveryOutcome;
import io.delayjob.testing.RealRedis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/** Topics that are bound to targets, on two nodes. */
@Execution(ExecutionMode.CONCURRENT)
@RealRedis
class DeliveryIT {

    private static final String PREFIX = DeliveryNode.prefix();
    private static final FakeTransport FAKE = new FakeTransport();
    private static final FakeTransport OTHER = new FakeTransport();
    private static DeliveryNode node;
    private static DeliveryNode other;

    @BeforeAll
    static void open() {
        node = DeliveryNode.open(
                PREFIX,
                beans -> {
                    beans.registerBean(FakeTransport.class, () -> FAKE);
                    beans.registerBean(Binding.class, () -> Binding.of("by-bean", "fake:bean"));
                },
                "delayjob.delivery.topics.by-property.target=fake:property",
                "delayjob.delivery.no-instance-timeout=2s");
        other = DeliveryNode.open(PREFIX, beans -> beans.registerBean(FakeTransport.class, () -> OTHER));
    }

    @AfterAll
    static void close() {
        node.close();
        other.close();
    }

    @Test
    void deliversToWhatAPropertyABeanOrACallHasBound() {
        node.targets().bind(Binding.of("by-call", "fake:call"));
        List.of("by-property", "by-bean", "by-call").forEach(topic -> node.submit(topic, "1", "hello"));
        await().untilAsserted(() -> List.of("by-property", "by-bean", "by-call")
                .forEach(topic -> assertThat(node.job(topic, "1").state()).isEqualTo(JobState.COMPLETED)));
    }

    @Test
    void everyNodeSeesWhatIsBoundPausedAndUnbound() {
        node.targets().bind(Binding.of("seen", "fake:seen").withCalls(3));
        await().untilAsserted(() -> assertThat(other.targets().find("seen"))
                .hasValueSatisfying(seen -> assertThat(seen.binding().calls()).isEqualTo(3)));
        other.targets().pause("seen");
        await().untilAsserted(() ->
                assertThat(node.targets().find("seen").orElseThrow().state()).isEqualTo(State.PAUSED));
        // The courier of a node follows a moment after the node knows; this call returns when it has.
        node.context().getBean(Couriers.class).follow();
        node.submit("seen", "1", "waits");
        // A claim that was asking when its courier stopped gives the job back.
        await().untilAsserted(() -> assertThat(node.job("seen", "1").state()).isEqualTo(JobState.READY));
        assertThat(node.targets().resume("seen")).isTrue();
        await().untilAsserted(() -> assertThat(node.job("seen", "1").state()).isEqualTo(JobState.COMPLETED));
        assertThat(node.targets().unbind("seen")).isTrue();
        await().untilAsserted(() -> assertThat(other.targets().find("seen")).isEmpty());
        assertThat(node.targets().unbind("seen")).isFalse();
    }

    @Test
    void callsNoMoreAtOnceThanItMayAndTheRestWaitsUnspent() {
        CompletableFuture<DeliveryOutcome> answer = new CompletableFuture<>();
        FakeTransport slow = new FakeTransport();
        slow.answer("slow", job -> answer);
        try (DeliveryNode alone = DeliveryNode.open(
                DeliveryNode.prefix(),
                beans -> beans.registerBean(FakeTransport.class, () -> slow),
                "delayjob.delivery.topics.slow.target=fake:slow",
                "delayjob.delivery.topics.slow.calls=3",
                "delayjob.delivery.topics.slow.timeout=10m",
                "delayjob.delivery.topics.quick.target=fake:quick")) {
            IntStream.range(0, 20).forEach(i -> alone.submit("slow", "s" + i, i));
            await().until(() -> slow.underWay.get() == 3);
            IntStream.range(0, 20).forEach(i -> alone.submit("quick", "q" + i, i));
            await().until(() -> alone.admin().counts("quick").finished() == 20);
            assertThat(slow.delivered("slow")).isEqualTo(3);
            assertThat(alone.admin().counts("slow").ready()).isEqualTo(17);
            answer.complete(new DeliveryOutcome.Delivered(null));
            await().until(() -> alone.admin().counts("slow").finished() == 20);
            assertThat(slow.delivered).allMatch(job -> job.attempt() == 1);
        }
    }

    @Test
    void callsThatBeganBeforeAPauseCountAfterIt() {
        CompletableFuture<DeliveryOutcome> answer = new CompletableFuture<>();
        FakeTransport slow = new FakeTransport();
        slow.answer("slow", job -> answer);
        try (DeliveryNode alone = DeliveryNode.open(
                DeliveryNode.prefix(),
                beans -> beans.registerBean(FakeTransport.class, () -> slow),
                "delayjob.delivery.topics.slow.target=fake:slow",
                "delayjob.delivery.topics.slow.calls=3",
                "delayjob.delivery.topics.slow.timeout=10m",
                "delayjob.delivery.topics.quick.target=fake:quick")) {
            IntStream.range(0, 9).forEach(i -> alone.submit("slow", "s" + i, i));
            await().until(() -> slow.underWay.get() == 3);
            assertThat(alone.targets().pause("slow")).isTrue();
            assertThat(alone.targets().resume("slow")).isTrue();
            IntStream.range(0, 20).forEach(i -> alone.submit("quick", "q" + i, i));
            await().until(() -> alone.admin().counts("quick").finished() == 20);
            assertThat(slow.delivered("slow")).isEqualTo(3);
            answer.complete(new DeliveryOutcome.Delivered(null));
            await().until(() -> alone.admin().counts("slow").finished() == 9);
        }
    }

    @Test
    void keepsTheBacklogFromATargetThatDoesNotWork() {
        FAKE.answer("broken", job -> FakeTransport.now(new DeliveryOutcome.Failed("it is down")));
        node.targets().bind(Binding.of("broken", "fake:broken").withCalls(2));
        OTHER.answer("broken", job -> FakeTransport.now(new DeliveryOutcome.Failed("it is down")));
        IntStream.range(0, 100).forEach(i -> node.submit("broken", "b" + i, i));
        await().untilAsserted(() ->
                assertThat(node.targets().find("broken").orElseThrow().state()).isEqualTo(State.HELD));
        assertThat(node.targets().find("broken").orElseThrow().reason()).contains("it is down");
        assertThat(FAKE.delivered("broken") + OTHER.delivered("broken")).isLessThan(50);
        FAKE.answer("broken", job -> FakeTransport.now(new DeliveryOutcome.Delivered(null)));
        OTHER.answer("broken", job -> FakeTransport.now(new DeliveryOutcome.Delivered(null)));
        await().until(() -> node.admin().counts("broken").finished() == 100);
    }

    @Tag("proof")
    @Test
    void aDeadAndASlowTargetHoldUpNoOtherAndTheirBacklogKeepsItsAttempts() {
        CompletableFuture<DeliveryOutcome> never = new CompletableFuture<>();
        FakeTransport mixed = new FakeTransport();
        mixed.answer("dead", job -> FakeTransport.now(new DeliveryOutcome.Failed("it is down")));
        mixed.answer("slow", job -> never);
        try (DeliveryNode alone = DeliveryNode.open(
                DeliveryNode.prefix(),
                beans -> beans.registerBean(FakeTransport.class, () -> mixed),
                "delayjob.max-attempts=100",
                "delayjob.delivery.topics.dead.target=fake:dead",
                "delayjob.delivery.topics.slow.target=fake:slow",
                "delayjob.delivery.topics.slow.timeout=10m",
                "delayjob.delivery.topics.well.target=fake:well")) {
            IntStream.range(0, 200).forEach(i -> {
                alone.submit("dead", "d" + i, i);
                alone.submit("slow", "s" + i, i);
                alone.submit("well", "w" + i, i);
            });
            await().until(() -> alone.admin().counts("well").finished() == 200);
            await().untilAsserted(() -> assertThat(mixed.delivered("slow")).isEqualTo(16));
            assertThat(alone.admin().counts("slow").ready()).isEqualTo(184);
            await().untilAsserted(() -> assertThat(
                            alone.targets().find("dead").orElseThrow().state())
                    .isEqualTo(State.HELD));
            assertThat(mixed.delivered("dead")).isLessThan(100);
            // The trial calls go on, and the end of each is stored a moment after it.
            await().untilAsserted(() -> assertThat(IntStream.range(0, 200)
                            .map(i -> alone.job("dead", "d" + i).attempt())
                            .sum())
                    .isEqualTo((int) mixed.delivered("dead")));
            never.complete(new DeliveryOutcome.Delivered(null));
        }
    }

    @Test
    void metersCallsByTopicAndForgetsThemWhenTheTopicIsUnbound() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        CompletableFuture<DeliveryOutcome> answer = new CompletableFuture<>();
        FakeTransport metered = new FakeTransport();
        metered.answer(
                "metered",
                job -> job.id().equals("1") ? FakeTransport.now(new DeliveryOutcome.Refused("HTTP 400: no")) : answer);
        try (DeliveryNode alone = DeliveryNode.open(
                DeliveryNode.prefix(), beans -> beans.registerBean(FakeTransport.class, () -> metered))) {
            alone.context().getBean(TargetMeters.class).bindTo(meters);
            alone.targets().bind(Binding.of("metered", "fake:metered").withTimeout(Duration.ofMinutes(10)));
            alone.submit(DelayJobRequest.toTopic("metered", "x").withId("1").withMaxAttempts(1));
            alone.submit("metered", "2", "x");
            await().until(() -> meters.get("delayjob.target.calls.active")
                                    .tag("topic", "metered")
                                    .gauge()
                                    .value()
                            == 1
                    && metered.delivered("metered") == 2
                    && alone.job("metered", "1").state() == JobState.DEAD);
            answer.complete(new DeliveryOutcome.Delivered(null));
            await().until(() -> alone.job("metered", "2").state() == JobState.COMPLETED);
            List.of("refused", "delivered")
                    .forEach(outcome -> assertThat(meters.get("delayjob.target.call")
                                    .tags("topic", "metered", "outcome", outcome)
                                    .timer()
                                    .count())
                            .isEqualTo(1));
            alone.targets().pause("metered");
            assertThat(state(meters, "paused")).isEqualTo(1);
            assertThat(state(meters, "open")).isZero();
            Health health = Objects.requireNonNull(
                    alone.context().getBean(TargetHealth.class).health(true));
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails().get("waiting")).hasToString("{metered=PAUSED: it is paused}");
            alone.targets().unbind("metered");
            assertThat(meters.getMeters()).isEmpty();
        }
    }

    private static double state(SimpleMeterRegistry meters, String state) {
        return meters.get("delayjob.target.state")
                .tags("topic", "metered", "state", state)
                .gauge()
                .value();
    }

    @Test
    void leavesATargetAloneThatAsksForIt() {
        Map<String, Long> firstCalls = new ConcurrentHashMap<>();
        CompletableFuture<DeliveryOutcome> refusal = new CompletableFuture<>();
        FAKE.answer("busy", job -> {
            firstCalls.putIfAbsent(job.id(), System.nanoTime());
            return job.attempt() == 1 && job.id().equals("1")
                    ? refusal
                    : FakeTransport.now(new DeliveryOutcome.Delivered(null));
        });
        OTHER.answer("busy", job -> FakeTransport.now(new DeliveryOutcome.RetryAfter(Duration.ZERO, "slow down")));
        try (DeliveryNode alone = DeliveryNode.open(
                DeliveryNode.prefix(),
                beans -> beans.registerBean(FakeTransport.class, () -> FAKE),
                "delayjob.delivery.topics.busy.target=fake:busy")) {
            alone.submit("busy", "1", "x");
            await().until(() -> FAKE.delivered("busy") == 1);
            long refused = System.nanoTime();
            refusal.complete(new DeliveryOutcome.RetryAfter(Duration.ofSeconds(1), "slow down"));
            await().until(() -> alone.job("busy", "1").state() != JobState.RESERVED);
            alone.submit("busy", "2", "x");
            await().until(() -> alone.admin().counts("busy").finished() == 2);
            assertThat(Duration.ofNanos(Objects.requireNonNull(firstCalls.get("2")) - refused))
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(1));
            assertThat(alone.job("busy", "2").attempt()).isEqualTo(1);
        }
    }

    @Test
    void unbindsATopicWhoseTargetIsGoneAndItsJobsWait() {
        FAKE.answer("gone", job -> FakeTransport.now(new DeliveryOutcome.Gone("410 gone")));
        OTHER.answer("gone", job -> FakeTransport.now(new DeliveryOutcome.Gone("410 gone")));
        node.targets().bind(Binding.of("gone", "fake:gone"));
        node.submit("gone", "1", "x");
        await().untilAsserted(() -> assertThat(node.targets().find("gone")).hasValueSatisfying(status -> {
            assertThat(status.state()).isEqualTo(State.CLOSED);
            assertThat(status.reason()).contains("410 gone");
        }));
        await().untilAsserted(() -> assertThat(other.targets().find("gone"))
                .hasValueSatisfying(status -> assertThat(status.state()).isEqualTo(State.CLOSED)));
        // Given back a moment after the topic was closed, or before.
        await().untilAsserted(() -> assertThat(node.job("gone", "1").state()).isEqualTo(JobState.READY));
        FAKE.answer("gone", job -> FakeTransport.now(new DeliveryOutcome.Delivered("7")));
        OTHER.answer("gone", job -> FakeTransport.now(new DeliveryOutcome.Delivered("7")));
        node.targets().bind(Binding.of("gone", "fake:again"));
        await().untilAsserted(() -> assertThat(node.job("gone", "1").state()).isEqualTo(JobState.COMPLETED));
        assertThat(node.job("gone", "1").result()).isEqualTo("7");
    }

    @Test
    void buriesWhatCannotBeDeliveredAndJobsOfOtherTopics() {
        FAKE.answer("never", job -> FakeTransport.now(new DeliveryOutcome.Undeliverable("too large for the broker")));
        OTHER.answer("never", job -> FakeTransport.now(new DeliveryOutcome.Undeliverable("too large for the broker")));
        node.targets().bind(Binding.of("never", "fake:never"));
        node.submit("never", "1", "x");
        node.submit(DelayJobRequest.toTopic("stray", "x").withQueue("never").withId("2"));
        await().untilAsserted(() -> {
            assertThat(node.job("never", "1").lastError()).contains("too large for the broker");
            assertThat(node.job("never", "2").lastError()).contains("submit jobs of topic 'stray' to another queue");
        });
    }

    @Test
    void waitsForATargetThatCannotBeReachedAndThenGivesItsJobsUp() {
        FakeTransport unreachable = new FakeTransport();
        unreachable.obstacle = "service 'billing' has no instance";
        String prefix = DeliveryNode.prefix();
        try (DeliveryNode alone = DeliveryNode.open(
                prefix,
                beans -> beans.registerBean(FakeTransport.class, () -> unreachable),
                "delayjob.delivery.topics.lost.target=fake:lost",
                "delayjob.delivery.no-instance-timeout=1h")) {
            alone.submit("lost", "1", "x");
            await().untilAsserted(() -> assertThat(
                            alone.targets().find("lost").orElseThrow().state())
                    .isEqualTo(State.HELD));
            assertThat(alone.job("lost", "1").state()).isEqualTo(JobState.READY);
            assertThat(alone.admin().explain("lost", "1").text()).contains("service 'billing' has no instance");
            assertThat(alone.context()
                            .getBean(AsyncDelayJobAdmin.class)
                            .explain("lost", "1")
                            .join()
                            .text())
                    .contains("HELD");
        }
        try (DeliveryNode alone = DeliveryNode.open(
                prefix,
                beans -> beans.registerBean(FakeTransport.class, () -> unreachable),
                "delayjob.delivery.topics.lost.target=fake:lost",
                "delayjob.delivery.no-instance-timeout=2s")) {
            await().untilAsserted(
                            () -> assertThat(alone.job("lost", "1").state()).isEqualTo(JobState.DEAD));
            assertThat(alone.job("lost", "1").lastError()).contains("service 'billing' has no instance");
            unreachable.obstacle = null;
            alone.submit("lost", "2", "x");
            await().untilAsserted(
                            () -> assertThat(alone.job("lost", "2").state()).isEqualTo(JobState.COMPLETED));
        }
    }

    @Test
    void aNodeThatSeesNobodyLeavesABacklogToTheNodeThatDeliversIt() {
        String prefix = DeliveryNode.prefix();
        String[] settings = {
            "delayjob.delivery.topics.backlog.target=fake:backlog",
            "delayjob.delivery.topics.backlog.timeout=10m",
            "delayjob.delivery.topics.nobody.target=fake:nobody"
        };
        CompletableFuture<DeliveryOutcome> answer = new CompletableFuture<>();
        FakeTransport busy = new FakeTransport();
        busy.obstacle = "there is no instance";
        busy.reachable.add("backlog");
        busy.answer("backlog", job -> answer);
        FakeTransport blind = new FakeTransport();
        blind.obstacle = "there is no instance";
        // A node's note that it can deliver to a target is kept for the no-instance timeout of that node.
        try (DeliveryNode delivers =
                DeliveryNode.open(prefix, beans -> beans.registerBean(FakeTransport.class, () -> busy), settings)) {
            delivers.awaitNoted("backlog");
            try (DeliveryNode seesNobody = DeliveryNode.open(
                    prefix,
                    beans -> beans.registerBean(FakeTransport.class, () -> blind),
                    Stream.concat(Stream.of(settings), Stream.of("delayjob.delivery.no-instance-timeout=1s"))
                            .toArray(String[]::new))) {
                IntStream.range(0, 100).forEach(i -> delivers.submit("backlog", "j" + i, i));
                seesNobody.submit("nobody", "1", "x");
                await().untilAsserted(() ->
                        assertThat(seesNobody.job("nobody", "1").state()).isEqualTo(JobState.DEAD));
                answer.complete(new DeliveryOutcome.Delivered(null));
                await().untilAsserted(() -> assertThat(
                                delivers.admin().counts("backlog").finished())
                        .isEqualTo(100));
                assertThat(delivers.admin().counts("backlog").dead()).isZero();
            }
        }
    }

    @Test
    void aNodeThatCannotTellWhetherAnybodyIsThereGivesNoJobsUp() {
        FakeTransport blind = new FakeTransport();
        blind.obstacle = "the registry cannot be looked up";
        blind.unseen.add("unseen");
        try (DeliveryNode alone = DeliveryNode.open(
                DeliveryNode.prefix(),
                beans -> beans.registerBean(FakeTransport.class, () -> blind),
                "delayjob.delivery.topics.unseen.target=fake:unseen",
                "delayjob.delivery.topics.nobody.target=fake:nobody",
                "delayjob.delivery.no-instance-timeout=1s")) {
            alone.submit("unseen", "1", "x");
            alone.submit("nobody", "1", "x");
            await().untilAsserted(
                            () -> assertThat(alone.job("nobody", "1").state()).isEqualTo(JobState.DEAD));
            assertThat(alone.job("unseen", "1").state()).isEqualTo(JobState.READY);
        }
    }

    @Test
    void givesUpAJobOnlyAfterItsAttempts() {
        FAKE.answer("bad", job -> FakeTransport.now(new DeliveryOutcome.Refused("HTTP 400: no")));
        OTHER.answer("bad", job -> FakeTransport.now(new DeliveryOutcome.Refused("HTTP 400: no")));
        node.targets().bind(Binding.of("bad", "fake:bad"));
        node.submit(DelayJobRequest.toTopic("bad", "x").withId("1").withMaxAttempts(3));
        await().untilAsserted(() -> assertThat(node.job("bad", "1").state()).isEqualTo(JobState.DEAD));
        assertThat(node.job("bad", "1").lastError()).contains("attempt 3 of 3").contains("HTTP 400: no");
        assertThat(FAKE.delivered("bad") + OTHER.delivered("bad")).isEqualTo(3);
    }

    @Test
    void beginsNoMoreCallsInASecondThanItMay() {
        FakeTransport rated = new FakeTransport();
        try (DeliveryNode alone = DeliveryNode.open(
                DeliveryNode.prefix(),
                beans -> beans.registerBean(FakeTransport.class, () -> rated),
                "delayjob.delivery.topics.rated.target=fake:rated",
                "delayjob.delivery.topics.rated.per-second=5")) {
            long begun = System.nanoTime();
            IntStream.range(0, 15).forEach(i -> alone.submit("rated", "r" + i, i));
            await().until(() -> alone.admin().counts("rated").finished() == 15);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(1800));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    a      | carrier:pigeon      | it has transports for [client, fake, http, https]
                    a      | no scheme           | is not a URI
                    a      | hook                | has no scheme
                    a b    | fake:x              | state the queue of its jobs
                    a      | fake:refused        | fake target refused
                    a      | http://127.0.0.1/x  | which is not public
                    """)
    void refusesBindingsAndSaysWhatToDo(String topic, String target, String message) {
        assertThatThrownBy(() -> node.targets().bind(Binding.of(topic, target)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
        assertThat(node.targets().find(topic)).isEmpty();
    }

    @Test
    void refusesAQueueOfAnotherTopicAndASecretThatIsTooShort() {
        node.targets().bind(Binding.of("first", "fake:x"));
        assertThatThrownBy(
                        () -> node.targets().bind(Binding.of("second", "fake:x").withQueue("first")))
                .hasMessageContaining("is that of topic 'first'");
        assertThatThrownBy(() -> Binding.of("a", "fake:x").withSecrets("whsec_c2hvcnQ="))
                .hasMessageContaining("24 to 64 bytes; this one has 5 bytes");
        assertThatThrownBy(
                        () -> DeliveryNode.open(PREFIX, beans -> {}, "delayjob.delivery.topics.x.target=carrier:pigeon")
                                .close())
                .hasRootCauseMessage(
                        "no transport of this application delivers to 'carrier:pigeon': it has transports for [client, http, https];"
                                + " correct the scheme, or add the library of its transport");
    }
}

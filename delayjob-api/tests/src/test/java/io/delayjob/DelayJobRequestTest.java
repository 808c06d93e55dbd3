package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DelayJobRequestTest {

    abstract static class Sweep implements DelayJob<Void> {}

    private static final DelayJobRequest<String> REQUEST = DelayJobRequest.of(Greeting.class, "world");

    /** A job for requests. */
    static final class Greeting implements DelayJob<String> {

        @Override
        public void execute(JobExecution<String> execution) {}
    }

    @Test
    void leavesEveryOptionToTheQueueUnlessGiven() {
        assertThat(REQUEST)
                .isEqualTo(new DelayJobRequest<>(
                        Greeting.class, null, "world", null, null, JobOptions.NONE, null, Map.of()));
    }

    @Test
    void changesOneOptionAndKeepsTheOthers() {
        DelayJobRequest<String> full = REQUEST.withId("id")
                .withQueue("orders")
                .withMaxAttempts(5)
                .withBackoff(Backoff.fixed(Duration.ofSeconds(1)))
                .withLease(Duration.ofMinutes(1))
                .withTimeout(Duration.ofSeconds(30))
                .withTimeToLive(Duration.ofHours(1))
                .withPriority(9)
                .withKey("customer-42")
                .withDedupe(Dedupe.untilFinished("order-42"))
                .withTags("customer:42", "vip", "vip")
                .withAfterCommit(true)
                .withHeaders(Map.of("trace", "abc"));
        assertThat(full)
                .isEqualTo(new DelayJobRequest<>(
                        Greeting.class,
                        null,
                        "world",
                        "id",
                        "orders",
                        new JobOptions(
                                5,
                                Backoff.fixed(Duration.ofSeconds(1)),
                                Duration.ofMinutes(1),
                                Duration.ofSeconds(30),
                                Duration.ofHours(1),
                                9,
                                "customer-42",
                                Dedupe.untilFinished("order-42"),
                                List.of("customer:42", "vip")),
                        true,
                        Map.of("trace", "abc")));
        assertThat(full.withId("other").withId("id")).isEqualTo(full);
        assertThat(full.withQueue("other").withQueue("orders")).isEqualTo(full);
        assertThat(REQUEST.id()).isNull();
    }

    @Test
    void refusesANullClassAndLetsTheProducerJudgeANullParam() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DelayJobRequest.of(Unchecked.nullInsteadOf(Greeting.class), "world"))
                .withMessage("jobClass must not be null");
        assertThat(DelayJobRequest.of(Greeting.class, null).param()).isNull();
        assertThat(DelayJobRequest.of(Sweep.class)).isEqualTo(DelayJobRequest.of(Sweep.class, null));
        assertThat(DelayJobRequest.toTopic("sweep").param()).isNull();
    }

    @Test
    void refusesABadIdOrQueue() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withId("i".repeat(129)))
                .withMessageContaining("id must have 1 to 128 characters");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withId("a\nb"))
                .withMessageContaining("'a\\u000ab'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withQueue("{orders}"))
                .withMessageContaining("'{orders}'");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new DelayJobRequest<>(Greeting.class, null, "world", "", null, JobOptions.NONE, null, Map.of()))
                .withMessageContaining("id must have 1 to 128 characters: ''");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DelayJobRequest<>(
                        Greeting.class, null, "world", null, "a b", JobOptions.NONE, null, Map.of()))
                .withMessageContaining("'a b'");
    }

    @Test
    void refusesKeysThatAreNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withKey("k".repeat(129)))
                .withMessageContaining("key must have 1 to 128 characters: 'kkk");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withKey(" "))
                .withMessageContaining("key must have 1 to 128 characters: ' '");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withKey("a\nb"))
                .withMessageContaining("'a\\u000ab'");
    }

    @Test
    void refusesOptionsOutOfRange() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withMaxAttempts(0))
                .withMessage("maxAttempts must be at least 1: 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withPriority(10))
                .withMessage("priority must be 0 to 9, of which higher ones go first, or left out for 4: 10");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withPriority(-1))
                .withMessageEndingWith(": -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withLease(Duration.ofMillis(999)))
                .withMessage("lease must be at least PT1S: PT0.999S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withLease(Duration.ofSeconds(-1)))
                .withMessageStartingWith("lease must be")
                .withMessageEndingWith(": PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withTimeout(Duration.ZERO))
                .withMessageStartingWith("timeout must be positive")
                .withMessageEndingWith(": PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withTimeToLive(Duration.ZERO))
                .withMessageStartingWith("timeToLive must be positive")
                .withMessageEndingWith(": PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withHeaders(Map.of("trace", "v".repeat(8193))))
                .withMessage("header 'trace' must have at most 8192 characters: 8193");
    }

    @Test
    void goesToAClassOrToATopicAndNotToBoth() {
        assertThat(DelayJobRequest.toTopic("greet", "world").topic()).isEqualTo("greet");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DelayJobRequest.toTopic("", "world"))
                .withMessage("job name must have 1 to 256 characters: ''");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DelayJobRequest.toTopic("greet", Unchecked.nullInsteadOf("world")))
                .withMessage("payload must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DelayJobRequest<>(
                        Greeting.class, "greet", "world", null, null, JobOptions.NONE, null, Map.of()))
                .withMessageStartingWith("a request needs a jobClass or a topic, and not both");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new DelayJobRequest<>(null, null, "world", null, null, JobOptions.NONE, null, Map.of()))
                .withMessageStartingWith("a request needs a jobClass or a topic");
    }

    @Test
    void refusesTagsThatCannotBeSearchedFor() {
        for (String tag :
                List.of("", "t".repeat(65), "two words", "a,b", "say\"so\"", "a\u00a0b", "\u0007", "\ud800")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> REQUEST.withTags(tag))
                    .withMessageStartingWith("a tag must");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withTags("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"))
                .withMessage("there must be at most 10 tags: 11");
        assertThat(REQUEST.withTags("Österreich", "t".repeat(64)).options().tags())
                .containsExactly("Österreich", "t".repeat(64));
    }

    @Test
    void addsAHeaderToThoseItHas() {
        DelayJobRequest<String> request = REQUEST.withHeaders(Map.of("a", "1", "b", "2"))
                .withHeader("b", "3")
                .withHeader("c", "4");
        assertThat(request.headers()).containsOnly(Map.entry("a", "1"), Map.entry("b", "3"), Map.entry("c", "4"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withHeader("a", Unchecked.nullInsteadOf("v")))
                .withMessageStartingWith("a header needs a name and a value");
    }

    @Test
    void takesOptionsAtTheEdgeOfTheirRange() {
        assertThat(REQUEST.withMaxAttempts(1).options().maxAttempts()).isEqualTo(1);
        assertThat(REQUEST.withPriority(0).options().priority()).isZero();
        assertThat(REQUEST.withPriority(9).options().priority()).isEqualTo(9);
        assertThat(REQUEST.withLease(Duration.ofSeconds(1)).options().lease()).isEqualTo(Duration.ofSeconds(1));
        assertThat(REQUEST.withTimeout(Duration.ofMillis(1)).options().timeout())
                .isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void refusesNullWhereAnOptionIsGiven() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withId(Unchecked.nullInsteadOf("id")))
                .withMessageStartingWith("id must");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withQueue(Unchecked.nullInsteadOf("orders")))
                .withMessageStartingWith("queue must");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withBackoff(Unchecked.nullInsteadOf(Backoff.DEFAULT)))
                .withMessage("backoff must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withLease(Unchecked.nullInsteadOf(Duration.ofSeconds(1))))
                .withMessage("lease must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withTimeout(Unchecked.nullInsteadOf(Duration.ofSeconds(1))))
                .withMessage("timeout must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withTimeToLive(Unchecked.nullInsteadOf(Duration.ofSeconds(1))))
                .withMessage("timeToLive must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withDedupe(Unchecked.nullInsteadOf(Dedupe.untilStarted("k"))))
                .withMessage("dedupe must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> REQUEST.withHeaders(Unchecked.nullInsteadOf(Map.of())))
                .withMessage("headers must not be null");
    }

    @Test
    void isNotChangedThroughTheMapItWasGiven() {
        Map<String, String> mine = new HashMap<>(Map.of("a", "1"));
        DelayJobRequest<String> request = REQUEST.withHeaders(mine);
        mine.clear();
        assertThat(request.headers()).containsExactly(Map.entry("a", "1")).isUnmodifiable();
    }
}

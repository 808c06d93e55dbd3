package io.delayjob.redisson.internal.events;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.JobEvent;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerException.Kind;
import io.delayjob.redisson.events.EventStream;
import io.delayjob.redisson.events.Position;
import io.delayjob.redisson.events.StreamedEvent;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class EventSenderTest {

    private static final CompletableFuture<Boolean> YES = CompletableFuture.completedFuture(true);
    private static final CompletableFuture<Boolean> NO = CompletableFuture.completedFuture(false);

    private final Calls calls = new Calls();
    private final EventSender sender = new EventSender(calls, "node-1");

    /** A stream that answers as the test says. */
    private static final class Calls implements EventStream {

        final AtomicInteger count = new AtomicInteger();
        final List<StreamedEvent> appended = new CopyOnWriteArrayList<>();
        volatile IntFunction<CompletableFuture<Boolean>> answer = call -> YES;

        @Override
        public CompletableFuture<Boolean> append(List<StreamedEvent> events) {
            assertThat(events).isNotEmpty().hasSizeLessThanOrEqualTo(MOST);
            CompletableFuture<Boolean> answered = answer.apply(count.incrementAndGet());
            if (answered == YES) {
                appended.addAll(events);
            }
            return answered;
        }

        @Override
        public CompletableFuture<Wanted> want(int kept) {
            throw new AssertionError("a node wants nothing");
        }

        @Override
        public CompletableFuture<Page> read(Position after) {
            throw new AssertionError("a node reads nothing");
        }

        List<String> ids() {
            return appended.stream()
                    .map(event -> json(event).path("id").asString(""))
                    .toList();
        }
    }

    private static JsonNode json(StreamedEvent event) {
        return JsonMapper.shared().readTree(event.data());
    }

    private static CompletableFuture<Boolean> failure(Kind kind) {
        return CompletableFuture.failedFuture(new LedgerException(kind, "Redis is away", null));
    }

    @AfterEach
    void close() {
        sender.close();
    }

    /** Makes a first call that gets no answer, so that the next one has all that happens until it does. */
    private CompletableFuture<Boolean> firstCall(IntFunction<CompletableFuture<Boolean>> others) {
        CompletableFuture<Boolean> first = new CompletableFuture<>();
        calls.answer = call -> call == 1 ? first : others.apply(call);
        happens("first", 0, 1);
        await().until(() -> calls.count.get() == 1);
        return first;
    }

    private void happens(String queue, int first, int count) {
        happens(sender, queue, first, count);
    }

    private static void happens(EventSender sender, String queue, int first, int count) {
        IntStream.range(first, first + count)
                .mapToObj(i -> new JobEvent.Redriven(queue, "job-" + i))
                .filter(event -> sender.wants(JobEvent.Redriven.class))
                .forEach(sender::take);
    }

    private static List<String> ids(int count) {
        return IntStream.range(0, count).mapToObj(i -> "job-" + i).toList();
    }

    @Test
    void sendsAllInTheirOrderInFewCalls() {
        CompletableFuture<Boolean> before = firstCall(call -> YES);
        happens("q", 0, 1000);
        before.complete(true);

        await().until(() -> calls.appended.size() == 1000);
        assertThat(calls.ids()).isEqualTo(ids(1000));
        assertThat(calls.count).hasValueLessThanOrEqualTo(10);
        StreamedEvent first = calls.appended.get(0);
        assertThat(first.kind()).isEqualTo("redriven");
        assertThat(first.queue()).isEqualTo("q");
        assertThat(json(first).path("node").asString()).isEqualTo("node-1");
    }

    @Test
    void renewalsAreNotSent() {
        assertThat(sender.wants(JobEvent.Renewed.class)).isFalse();
        assertThat(sender.wants(JobEvent.Claimed.class)).isTrue();
    }

    @Test
    void asksOnceASecondWhetherAnybodyWantsThem() {
        calls.answer = call -> NO;
        // Where the machine stands still, the second may be over before anybody sees it: then again.
        await().until(() -> {
            happens("q", 0, 10);
            return !sender.wants(JobEvent.Redriven.class);
        });
        int asked = calls.count.get();

        await().until(() -> sender.wants(JobEvent.Redriven.class));
        assertThat(calls.count).hasValue(asked);
        calls.answer = call -> YES;
        happens("q", 10, 1);

        await().until(() -> calls.ids().equals(List.of("job-10")));
    }

    @Test
    void aLateAnswerThatNobodyWantedThemSaysNothingAboutTheLastSecond() {
        CompletableFuture<Boolean> late = new CompletableFuture<>();
        calls.answer = call -> call == 1 ? late : YES;
        happens("q", 0, 1);
        await().until(() -> calls.count.get() == 1);
        happens("q", 1, 1);

        var unused = late.completeOnTimeout(false, EventStream.UNWANTED.toMillis() + 50, MILLISECONDS);

        await().until(() -> calls.ids().equals(List.of("job-1")));
    }

    @Test
    void whatDidNotRunIsRepeatedAndNothingIsMissing() {
        calls.answer = call -> call < 4 ? failure(Kind.NOT_RUN) : YES;
        happens("q", 0, 500);

        await().until(() -> calls.appended.size() == 500);
        assertThat(calls.ids()).isEqualTo(ids(500));
    }

    @Test
    void whatMayHaveRunIsNotRepeatedButCounted() {
        CompletableFuture<Boolean> before = firstCall(call -> call == 2 ? failure(Kind.UNKNOWN) : YES);
        happens("a", 0, 2);
        happens("b", 2, 1);
        before.complete(true);

        await().until(() -> calls.appended.size() == 2);
        assertThat(calls.appended).extracting(StreamedEvent::kind).containsOnly("gap");
        assertThat(calls.appended)
                .extracting(gap -> gap.queue() + json(gap).path("missed"))
                .containsExactlyInAnyOrder("a2", "b1");
        happens("a", 3, 1);
        await().until(() -> calls.ids().contains("job-3"));
    }

    @Test
    void gapsThatAreLostAreCountedToo() {
        CompletableFuture<Boolean> before = firstCall(call -> call < 5 ? failure(Kind.UNKNOWN) : YES);
        happens("a", 0, 7);
        before.complete(true);

        await().until(() -> !calls.appended.isEmpty());
        assertThat(json(calls.appended.get(0)).path("missed").asInt()).isEqualTo(7);
    }

    @Test
    void whatIsTooMuchIsDroppedAndCounted() {
        calls.answer = call -> failure(Kind.NOT_RUN);
        happens("q", 0, 30_000);
        assertThat(calls.appended).isEmpty();
        calls.answer = call -> YES;

        await().until(() -> calls.ids().contains("job-9000"));
        await().untilAsserted(() -> {
            int missed = calls.appended.stream()
                    .filter(event -> event.kind().equals("gap"))
                    .mapToInt(gap -> json(gap).path("missed").asInt())
                    .sum();
            long sent = calls.appended.stream()
                    .filter(event -> event.kind().equals("redriven"))
                    .count();
            assertThat(sent).isBetween(10_000L, 10_400L);
            assertThat(missed + sent).isEqualTo(30_000);
        });
    }

    @Test
    void countsAHundredQueuesByName() {
        CompletableFuture<Boolean> before = firstCall(call -> call == 2 ? failure(Kind.UNKNOWN) : YES);
        IntStream.range(0, 150).forEach(i -> happens("queue-" + i, i, 1));
        before.complete(true);

        await().until(() -> calls.appended.size() == 101);
        assertThat(calls.appended)
                .extracting(StreamedEvent::queue)
                .contains("queue-0", "queue-99", "")
                .doesNotContain("queue-100");
    }

    @Test
    void sendsTheLastOnesWhenItIsClosed() {
        // A close waits for a second at most; where the machine stands still for longer, another sender tries.
        await().untilAsserted(() -> {
            Calls last = new Calls();
            EventSender closed = new EventSender(last, "node-1");
            happens(closed, "q", 0, 300);
            closed.close();

            assertThat(closed.wants(JobEvent.Redriven.class)).isFalse();
            assertThat(last.ids()).isEqualTo(ids(300));
        });
    }

    @Test
    void aCloseDoesNotWaitForLong() {
        calls.answer = call -> new CompletableFuture<>();
        happens("q", 0, 1);

        await().until(() -> {
            sender.close();
            return true;
        });
    }
}

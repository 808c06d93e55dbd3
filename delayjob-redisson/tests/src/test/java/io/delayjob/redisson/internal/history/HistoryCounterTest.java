package io.delayjob.redisson.internal.history;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerException.Kind;
import io.delayjob.engine.telemetry.QueueTelemetry;
import io.delayjob.engine.telemetry.Telemetry;
import io.delayjob.redisson.history.Counts;
import io.delayjob.redisson.history.HistoryStore;
import io.delayjob.redisson.history.Span;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class HistoryCounterTest {

    private static final CompletableFuture<Void> ADDED = CompletableFuture.completedFuture(null);

    private final Store store = new Store();
    private final HistoryCounter counter = new HistoryCounter(store);

    /** A history that answers as the test says. */
    private static final class Store implements HistoryStore {

        final AtomicInteger calls = new AtomicInteger();
        final Map<String, Counts> added = new ConcurrentHashMap<>();
        volatile IntFunction<CompletableFuture<Void>> answer = call -> ADDED;

        @Override
        public CompletableFuture<Void> add(Map<String, Counts> counts) {
            assertThat(counts).isNotEmpty().hasSizeLessThanOrEqualTo(MOST_QUEUES);
            CompletableFuture<Void> answered = answer.apply(calls.incrementAndGet());
            if (answered == ADDED) {
                counts.forEach((queue, happened) -> added.merge(queue, happened, Counts::plus));
            }
            return answered;
        }

        @Override
        public CompletableFuture<Page> read(List<String> queues, Map<Span, Long> from) {
            throw new AssertionError("a node reads nothing");
        }

        Counts of(String queue) {
            return added.getOrDefault(queue, Counts.NONE);
        }
    }

    @AfterEach
    void close() {
        counter.close();
    }

    private static CompletableFuture<Void> failure(Kind kind) {
        return CompletableFuture.failedFuture(new LedgerException(kind, "Redis is away", null));
    }

    @Test
    void countsAttemptsOfEachQueueIncludingForeignOnes() {
        QueueTelemetry own = counter.queue("own");
        own.began(SECONDS.toNanos(1));
        own.completed("job");
        own.began(0);
        own.retried("job");
        counter.foreignQueue("foreign").buried("job");

        await().untilAsserted(() -> {
            assertThat(store.of("own").completed()).isEqualTo(1);
            assertThat(store.of("own").failed()).isEqualTo(1);
            assertThat(store.of("own").began()).isEqualTo(2);
            assertThat(store.of("foreign")).isEqualTo(Counts.of(0, 0, 1, new long[0]));
        });
        assertThat(store.added).hasSize(2);
    }

    @Test
    void namesThatAreNoQueuesAreNotCounted() {
        assertThat(counter.queue(Telemetry.OTHER)).isSameAs(QueueTelemetry.NONE);
    }

    @Test
    void whatHappensBetweenCallsOfManyThreadsIsCountedOnce() throws Exception {
        QueueTelemetry queue = counter.queue("q");
        List<Thread> threads = IntStream.range(0, 4)
                .mapToObj(i -> new Thread(() -> {
                    for (int job = 0; job < 300_000; job++) {
                        queue.completed("job");
                        if (job % 30_000 == 0) {
                            pause();
                        }
                        if (job == 150_000) {
                            await().until(() -> store.calls.get() > 0);
                        }
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        await().until(() -> store.of("q").completed() == 1_200_000);
        assertThat(store.calls.get()).isGreaterThan(1);
    }

    private static void pause() {
        try {
            Thread.sleep(150);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void whatCertainlyDidNotRunIsSentAgainAndSaidOnce(CapturedOutput output) {
        store.answer = call -> call < 3 ? failure(Kind.NOT_RUN) : ADDED;
        counter.queue("q").completed("job");
        await().until(() -> store.of("q").completed() == 1);
        await().until(() -> output.getOut().contains("has what happens on this node again"));
        assertThat(output.getOut().split("does not have all that happens", -1)).hasSize(2);
        assertThat(output.getOut()).contains("it is added once Redis answers");
    }

    @Test
    void whatMayHaveRunIsNotSentTwice() {
        store.answer = call -> call == 1 ? failure(Kind.UNKNOWN) : ADDED;
        counter.queue("q").completed("job");
        await().until(() -> store.calls.get() == 1);
        counter.queue("q").retried("job");
        await().untilAsserted(() -> assertThat(store.of("q")).isEqualTo(Counts.of(0, 1, 0, new long[0])));
        assertThat(store.calls).hasValue(2);
    }

    @Test
    void oneCallIsUnderWayAtATime() {
        CompletableFuture<Void> slow = new CompletableFuture<>();
        store.answer = call -> call == 1 ? slow : ADDED;
        counter.queue("q").completed("job");
        await().until(() -> store.calls.get() == 1);
        counter.queue("q").completed("job");
        await().during(1500, MILLISECONDS).until(() -> store.calls.get() == 1);
        slow.complete(null);
        await().until(() -> store.of("q").completed() == 1);
    }

    @Test
    void whatHappenedBeforeTheCloseIsSentAndNothingElse() {
        counter.close();
        assertThat(store.calls.get()).isZero();
        counter.queue("q").completed("job");
        counter.close();
        assertThat(store.of("q").completed()).isEqualTo(1);
    }

    @Test
    void whatIsBeingSentAtTheCloseIsNotSentAgain() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        store.answer = call -> {
            if (call == 1) {
                awaitUninterruptibly(goOn);
            }
            return ADDED;
        };
        counter.queue("q").completed("job");
        await().until(() -> store.calls.get() == 1);
        Thread closing = new Thread(counter::close);
        closing.start();
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING || !closing.isAlive());
        goOn.countDown();
        closing.join();

        assertThat(store.calls).hasValue(1);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean done = false;
        while (!done) {
            try {
                latch.await();
                done = true;
            } catch (InterruptedException e) {
                // It goes on when the test says so.
                continue;
            }
        }
    }
}

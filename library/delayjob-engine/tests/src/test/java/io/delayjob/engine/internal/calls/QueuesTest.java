package io.delayjob.engine.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.LedgersByHand;
import io.delayjob.engine.TestSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QueuesTest {

    private static final Duration ANY = Duration.ofSeconds(30);

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final List<CompletableFuture<List<?>>> calls = new ArrayList<>();
    private final Queues queues = new Queues(
            new LedgersByHand((proxy, method, args) -> call()),
            TestSettings.node("own", TestSettings.shards(2), ANY),
            "own"::equals,
            scheduler);

    @AfterEach
    void close() {
        scheduler.shutdownNow();
    }

    @Test
    void keepsTheQueuesOfThisNodeAndOfTheOthersThoseThatWereUsedLast() {
        List<Shard> own = queues.shards("own");
        List<Shard> used = queues.shards("used");
        for (int i = 0; i < 10_000; i++) {
            queues.shards("other-" + i);
            assertThat(queues.shards("used")).isSameAs(used);
        }
        assertThat(queues.open()).hasSize(1 + Queues.MOST_OTHERS).containsKeys("own", "used", "other-9999");
        assertThat(queues.shards("own")).isSameAs(own);
    }

    @Test
    void keepsAQueueWithSomethingUnderWay() {
        Shard busy = queues.shard("busy", "id");
        CompletableFuture<?> cancelled = busy.cancel("id");
        askForOthers();
        assertThat(queues.shard("busy", "id")).isSameAs(busy);
        calls.get(0).complete(List.of(true));
        assertThat(cancelled).isDone();
        askForOthers();
        assertThat(queues.open()).doesNotContainKey("busy");
    }

    private void askForOthers() {
        for (int i = 0; i < 2 * Queues.MOST_OTHERS; i++) {
            queues.shards("other-" + i);
        }
    }

    private CompletableFuture<List<?>> call() {
        CompletableFuture<List<?>> answer = new CompletableFuture<>();
        calls.add(answer);
        return answer;
    }
}

package io.delayjob.engine.internal.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.engine.LedgersByHand;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Settlement;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.QueueSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many jobs go into one call. */
class ShardTest {

    private static final Retention KEPT = new Retention(Duration.ofDays(1), 10);

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final List<Integer> sizes = new CopyOnWriteArrayList<>();
    private final CompletableFuture<List<?>> first = new CompletableFuture<>();

    @AfterEach
    void close() {
        scheduler.shutdownNow();
    }

    @Test
    void callsThatCopyRecordsCarryAFewLargeOnes() {
        complete(KEPT, 250_000);
        assertThat(sizes).hasSizeGreaterThanOrEqualTo(100).allMatch(size -> size <= 2);
    }

    @Test
    void callsThatCopyNoRecordsCarryManyLargeOnes() {
        complete(Retention.NONE, 250_000);
        assertThat(sizes).containsExactly(1, 199);
    }

    @Test
    void callsThatCopySmallRecordsCarryMany() {
        complete(KEPT, 100);
        assertThat(sizes).containsExactly(1, 199);
    }

    @Test
    void aCancelThatCopiesTheRecordCountsAsALargeOne() {
        cancel(KEPT);
        assertThat(sizes).startsWith(1, 52).allMatch(size -> size <= 52);
    }

    @Test
    void aCancelThatCopiesNoRecordCountsAsItsId() {
        cancel(Retention.NONE);
        assertThat(sizes).containsExactly(1, 199);
    }

    private void complete(Retention retention, int recordLength) {
        Shard shard = shard(retention);
        for (int i = 0; i < 200; i++) {
            shard.settle(new Settlement.Complete(new Lease("job-" + i, "1:r"), null, recordLength));
        }
        first.complete(List.of(true));
        await().until(shard::settled);
    }

    private void cancel(Retention retention) {
        Shard shard = shard(retention);
        List<CompletableFuture<?>> answers = new ArrayList<>();
        IntStream.range(0, 200).forEach(i -> answers.add(shard.cancel("job-" + i)));
        first.complete(List.of(true));
        assertThat(answers).allMatch(CompletableFuture::isDone);
    }

    private Shard shard(Retention retention) {
        QueueSettings queue = TestSettings.retaining(retention);
        Duration any = Duration.ofMinutes(1);
        EngineSettings settings = TestSettings.node("q", queue, any);
        return new Shard(
                new ShardId("q", 0), new LedgersByHand((proxy, method, args) -> answer(args)), settings, scheduler);
    }

    /** Keeps the sizes of the calls it gets; the first is answered when the test says so, so that the others pile up. */
    private CompletableFuture<?> answer(Object[] args) {
        List<?> jobs = (List<?>) args[1];
        sizes.add(jobs.size());
        return sizes.size() == 1
                ? first
                : CompletableFuture.completedFuture(
                        jobs.stream().map(job -> true).toList());
    }
}

package io.delayjob.engine.internal.administering;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.LedgersByHand;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.internal.calls.Queues;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AsyncAdminTest {

    private static final Duration ANY = Duration.ofSeconds(30);
    private static final int MANY = 10_000_000;

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private int left = MANY;
    private final AsyncAdmin admin = new AsyncAdmin(
            new Queues(
                    new LedgersByHand((proxy, method, args) -> purged((Integer) args[2])),
                    TestSettings.node("q", TestSettings.shards(2), ANY),
                    "q"::equals,
                    scheduler),
            JobEvents.onCallersThread(List.of()),
            Runnable::run);

    @AfterEach
    void close() {
        scheduler.shutdownNow();
    }

    private CompletableFuture<Integer> purged(int limit) {
        int some = Math.min(limit, left);
        left -= some;
        return CompletableFuture.completedFuture(some);
    }

    @Test
    void purgesAnyNumberOfJobsOfALedgerThatAnswersAtOnce() {
        assertThat(admin.purgeDead("q", Duration.ZERO, MANY - 1).join()).isEqualTo(MANY - 1);
        assertThat(admin.purgeDead("q", Duration.ZERO, MANY).join()).isEqualTo(1);
        assertThat(left).isZero();
    }
}

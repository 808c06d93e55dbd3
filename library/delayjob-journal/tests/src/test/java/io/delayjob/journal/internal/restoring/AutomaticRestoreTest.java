package io.delayjob.journal.internal.restoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobException;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.Loss;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class AutomaticRestoreTest {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final ShardId SHARD = new ShardId("orders", 0);

    private final AtomicInteger tries = new AtomicInteger();

    @Test
    void looksAgainAndAgainWithoutBeingToldAndWhateverFails() {
        Runnable failing = () -> {
            if (tries.incrementAndGet() % 2 == 1) {
                throw new IllegalStateException("another restore goes on");
            }
        };
        AutomaticRestore restore = new AutomaticRestore(goOn -> failing.run(), Duration.ofMillis(1));
        restore.start();
        await().atMost(PATIENCE).until(() -> tries.get() > 5);
        restore.close();
        int last = tries.get();
        restore.lost(SHARD, Loss.REPLACED, 0);
        assertThat(tries).hasValue(last);
    }

    @Test
    void isHurriedByALossThatIsRestored() {
        List<String> seen = new CopyOnWriteArrayList<>();
        try (AutomaticRestore restore = new AutomaticRestore(goOn -> seen.add("tried"), Duration.ofDays(1))) {
            restore.start();
            restore.lost(SHARD, Loss.UNLOGGED, 0);
            restore.lost(SHARD, Loss.REPLACED, 0);
            await().atMost(PATIENCE).until(() -> !seen.isEmpty());
            assertThat(seen).hasSize(1);
        }
    }

    @Test
    void endsARestoreThatIsUnderWayWhenItIsClosed() {
        AtomicReference<Throwable> end = new AtomicReference<>();
        AutomaticRestore restore = new AutomaticRestore(
                goOn -> {
                    tries.incrementAndGet();
                    try {
                        while (true) {
                            goOn.run();
                            Thread.onSpinWait();
                        }
                    } catch (DelayJobException e) {
                        end.set(e);
                        throw e;
                    }
                },
                Duration.ofMillis(1));
        restore.start();
        await().atMost(PATIENCE).until(() -> tries.get() == 1);
        restore.close();
        await().atMost(PATIENCE).until(() -> end.get() != null);
        assertThatThrownBy(() -> {
                    throw end.get();
                })
                .hasMessageContaining("this node stops");
    }
}

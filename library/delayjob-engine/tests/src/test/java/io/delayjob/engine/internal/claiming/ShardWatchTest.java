package io.delayjob.engine.internal.claiming;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.TestSettings;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.claiming.ShardClaims.Wanted;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.internal.running.Room;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.memory.MemoryBackend;
import io.delayjob.engine.telemetry.QueueTelemetry;
import io.delayjob.engine.telemetry.Telemetry;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a watch has its shard asked again. No alarm goes off, because the thread of alarms is busy. */
class ShardWatchTest {

    /** So many nodes that one of them looks every five seconds. */
    private static final int NODES = 4;

    /** Much shorter than the time between two looks. */
    private static final long NEXT_MILLIS = 700;

    /** After the head start of another node, among so many. */
    private static final long ALARM_MILLIS = NEXT_MILLIS + 7 * NODES;

    private static final Claimed NOTHING = new Claimed(List.of(), Claimed.Mode.QUIET, null, NODES, true);
    private static final Claimed NEXT = new Claimed(List.of(), Claimed.Mode.QUIET, NEXT_MILLIS, NODES, true);
    private static final Claimed MORE = new Claimed(List.of(), Claimed.Mode.QUIET, 0L, NODES, true);

    private static final Room NOBODY = new Room() {
        @Override
        public int total() {
            return 0;
        }

        @Override
        public int free() {
            return 0;
        }
    };

    private final CompletableFuture<Void> end = new CompletableFuture<>();
    private final ScheduledThreadPoolExecutor alarms = new ScheduledThreadPoolExecutor(1);
    private final MemoryBackend memory = new MemoryBackend(System::currentTimeMillis);
    private final Node node = node(Telemetry.NONE);
    private final ShardWatch watch = watch(node);

    ShardWatchTest() {
        alarms.setRemoveOnCancelPolicy(true);
        CompletableFuture<Void> begun = new CompletableFuture<>();
        alarms.execute(() -> {
            begun.complete(null);
            end.join();
        });
        begun.join();
    }

    private Node node(Telemetry telemetry) {
        return Nodes.of(
                memory, TestSettings.defaults(), TestSettings.SOON, alarms, new CopyOnWriteArrayList<>(), telemetry);
    }

    private static Shard shard(Node node) {
        return node.queues().shards("q").get(0);
    }

    private static ShardWatch watch(Node node) {
        return new ShardWatch(shard(node), "n~claims", TestSettings.LEASE, NOBODY, () -> false, node);
    }

    @AfterEach
    void close() {
        end.complete(null);
        alarms.shutdownNow();
    }

    /** How long until the one alarm. */
    private long alarmMillis() {
        assertThat(alarms.getQueue()).hasSize(1);
        return ((Delayed) alarms.getQueue().element()).getDelay(TimeUnit.MILLISECONDS);
    }

    @Test
    void anAlarmIsSetForTheNextJobAndMovesWithEachAnswer() {
        watch.answered(NEXT, System.nanoTime());
        assertThat(alarmMillis()).isLessThanOrEqualTo(ALARM_MILLIS);
        watch.answered(NOTHING, System.nanoTime());
        assertThat(alarmMillis()).isGreaterThan(ALARM_MILLIS);
    }

    @Test
    void anAnswerThatWasOvertakenDoesNotPutOffTheNextJob() {
        long asked = System.nanoTime();
        watch.answered(NEXT, System.nanoTime());
        watch.answered(NOTHING, asked);
        assertThat(alarmMillis()).isLessThanOrEqualTo(ALARM_MILLIS);
    }

    @Test
    void aFailureDoesNotPutOffTheNextJob() {
        watch.answered(NEXT, System.nanoTime());
        for (int i = 0; i < 10; i++) {
            watch.failed(new LedgerException(LedgerException.Kind.NOT_RUN, "no answer", null));
        }
        assertThat(alarmMillis()).isLessThanOrEqualTo(ALARM_MILLIS);
    }

    @Test
    void whileMoreIsDueThereIsNoAlarm() {
        watch.answered(MORE, System.nanoTime());
        assertThat(alarms.getQueue()).isEmpty();
    }

    @Test
    void anAnswerThatCannotBeUsedIsFollowedByAnAlarmThoughMoreIsDue() {
        Node failing = node(queue -> new QueueTelemetry() {
            @Override
            public void claimed(int jobs, long nanos) {
                throw new IllegalStateException("broken");
            }
        });
        ShardClaims claims = new ShardClaims(shard(failing), "n~claims", TestSettings.defaults(), failing);
        claims.watch(watch(failing));
        for (String id : List.of("a", "b")) {
            NewJob job = new NewJob(id, new NewJob.Due(0, true), JobContent.of("\"job\":\"resize\",\"param\":1}"));
            shard(failing)
                    .ledger()
                    .submit(new Call("submit-" + id, 1), List.of(job))
                    .join();
        }
        assertThat(claims.take(new Wanted(null, 1, null, null), System.nanoTime()))
                .isCompletedExceptionally();
        assertThat(alarmMillis()).isLessThanOrEqualTo(NEXT_MILLIS);
    }
}

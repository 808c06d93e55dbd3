package io.delayjob.engine.internal.consuming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.engine.LedgersByHand;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.internal.actors.Rounds;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.recurring.ScheduleWatch;
import io.delayjob.engine.internal.running.Slots;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.memory.MemoryBackend;
import io.delayjob.engine.telemetry.QueueTelemetry;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How often a node says that it is alive. */
class FeederTest {

    private static final Duration ANY = Duration.ofSeconds(30);

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final Queue<Sent> sent = new ConcurrentLinkedQueue<>();
    private final Fleet fleet = new Fleet();
    private final Feeder feeder = new Feeder(
            new ServedShard(
                    new Shard(
                            new ShardId("q", 0),
                            new LedgersByHand((proxy, method, args) -> answer(args)),
                            TestSettings.node("q", TestSettings.defaults(), ANY),
                            scheduler),
                    "n",
                    ANY,
                    new Slots(1),
                    fleet,
                    new WakeSignal()),
            new MemoryBackend(System::currentTimeMillis).doorbell(new ShardId("q", 0)),
            List::of,
            new DataWatch(new ShardId("q", 0), QueueTelemetry.NONE),
            ScheduleWatch.NONE,
            List.of());

    private final Rounds rounds = new Rounds("delayjob-feeder");

    private record Sent(Feed.Request request, long nanos, CompletableFuture<Feed.Answer> answer) {}

    @AfterEach
    void close() {
        feeder.stop();
        rounds.stop();
        sent.forEach(feed -> feed.answer().complete(answer(1, true)));
        scheduler.shutdownNow();
    }

    @Test
    void aNodeThatLearnsHowManyThereAreFeedsAgainBeforeItsRegistrationEnds() {
        rounds.add(feeder);
        rounds.start();
        Sent first = next();
        first.answer().complete(answer(20, false));
        Sent second = next();
        assertThat(Duration.ofNanos(second.nanos() - first.nanos()))
                .isLessThan(Duration.ofMillis(first.request().presence().stayMillis()));
        assertThat(second.request().presence().stayMillis())
                .isGreaterThan(first.request().presence().stayMillis());
    }

    @Test
    void aSeatThatIsFreeIsAskedForAtOnce() {
        fleet.fed(answer(20, false));
        rounds.add(feeder);
        rounds.start();
        Sent first = next();
        first.answer().complete(answer(20, false));
        fleet.claimed(new Claimed(List.of(), Claimed.Mode.QUIET, null, 20, false));
        assertThat(Duration.ofNanos(next().nanos() - first.nanos())).isLessThan(Duration.ofSeconds(4));
    }

    /** The next one, once the feeder has hung on its answer: what follows one has then happened when it is given. */
    private Sent next() {
        await().atMost(TestSettings.SOON)
                .until(() -> !sent.isEmpty() && sent.element().answer().getNumberOfDependents() > 0);
        return sent.remove();
    }

    private static Feed.Answer answer(int nodes, boolean holder) {
        return new Feed.Answer(nodes, holder, 0, true, false, Feed.Pulse.NONE, null);
    }

    /** Answers feeds when the test says so. */
    private CompletableFuture<Feed.Answer> answer(Object[] args) {
        CompletableFuture<Feed.Answer> answer = new CompletableFuture<>();
        sent.add(new Sent((Feed.Request) args[0], System.nanoTime(), answer));
        return answer;
    }
}

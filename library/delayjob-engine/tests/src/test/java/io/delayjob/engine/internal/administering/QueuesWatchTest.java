package io.delayjob.engine.internal.administering;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.memory.MemoryBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Warnings of a node about queues that it has submitted to and that nobody runs. */
@Isolated("reads what the whole JVM prints")
@ExtendWith(OutputCaptureExtension.class)
class QueuesWatchTest {

    private static final Duration ANY = Duration.ofSeconds(30);
    private static final String WARNING = "queue 'ordres' holds 1 jobs that wait, and no live node runs them";

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final MemoryBackend backend = new MemoryBackend(() -> 1_000_000);
    private final Queues queues =
            new Queues(backend, TestSettings.node("q", TestSettings.shards(3), ANY), queue -> true, scheduler);
    private final AsyncAdmin admin = new AsyncAdmin(queues, Extensions.NONE, Duration.ZERO, Runnable::run);
    private final List<String> first = new ArrayList<>();
    private final QueuesWatch watch = new QueuesWatch(backend, admin, () -> Set.of("orders"), first::add);

    @AfterEach
    void close() {
        scheduler.shutdownNow();
    }

    @Test
    void warnsOfAQueueThatHoldsJobsAndThatNobodyRunsAndAgainAfterAnHour(CapturedOutput output) {
        submit("ordres");
        watch.submitted("ordres");
        watch.look();
        assertThat(output).doesNotContain(WARNING);
        look(59);
        assertThat(output).containsOnlyOnce(WARNING);
        look(2);
        assertThat(output.toString().split(WARNING, -1)).hasSize(3);
    }

    @Test
    void warnsAtTheSecondLookAlsoOfAQueueThatWasIdleBefore(CapturedOutput output) {
        watch.submitted("ordres");
        look(7);
        submit("ordres");
        watch.look();
        assertThat(output).doesNotContain(WARNING);
        watch.look();
        assertThat(output).containsOnlyOnce(WARNING);
    }

    @Test
    void saysNothingOfAQueueThatIsRunOrHoldsNothing(CapturedOutput output) {
        submit("orders");
        feed("orders");
        watch.submitted("orders");
        watch.submitted("idle");
        look(5);
        assertThat(output).doesNotContain("no live node");
    }

    @Test
    void aWorkerElsewhereThatClaimsRunsTheQueue(CapturedOutput output) {
        submit("orders");
        feed("orders", new Feed.Presence("n~claims", 10_000, 0, 0, Feed.Presence.ANY_JOB));
        watch.submitted("orders");
        look(5);
        assertThat(output).doesNotContain("no live node");
        assertThat(admin.unconsumedQueues().join()).isEmpty();
    }

    @Test
    void listsTheQueuesThatHoldJobsAndThatNobodyRuns() {
        submit("ordres");
        submit("orders");
        feed("orders");
        List.of("ordres", "orders", "idle").forEach(watch::submitted);
        assertThat(admin.queues().join()).containsExactly("idle", "orders", "ordres");
        assertThat(admin.unconsumedQueues().join()).containsOnlyKeys("ordres");
    }

    @Test
    void namesTheQueuesItRunsToo() {
        watch.look();
        assertThat(admin.queues().join()).containsExactly("orders");
    }

    /** Names come from callers: some that are never used again must not keep others out. */
    @Test
    void forgetsAQueueThatNothingWasSubmittedToForADay(CapturedOutput output) {
        submit("once");
        watch.submitted("once");
        watch.submitted("daily");
        look(1000);
        watch.submitted("daily");
        look(440);
        watch.submitted("once");
        watch.submitted("daily");
        assertThat(first).containsExactly("once", "daily");

        look(1441);
        assertThat(output).contains("queue 'once' holds 1 jobs");
        int said = output.length();
        look(120);
        assertThat(output.toString().substring(said)).doesNotContain("once");
        watch.submitted("once");
        assertThat(first).containsExactly("once", "daily", "once");
    }

    @Test
    void namesTenThousandQueuesAtMost() {
        for (int i = 0; i <= 10_000; i++) {
            watch.submitted("q-" + i);
        }

        assertThat(first).hasSize(10_000).doesNotContain("q-10000");
    }

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            watch.look();
        }
    }

    private Ledger ledger(String queue) {
        return backend.ledger(new ShardId(queue, 2), Retention.NONE, Replication.NONE);
    }

    private void submit(String queue) {
        NewJob job = new NewJob("a", new NewJob.Due(5000, true), JobContent.of("\"job\":\"j\",\"param\":1}"));
        ledger(queue).submit(new Call("lane", 1), List.of(job)).join();
    }

    private void feed(String queue) {
        feed(queue, new Feed.Presence("other", 10_000, 16, 16, Set.of("job")));
    }

    private void feed(String queue, Feed.Presence node) {
        ledger(queue)
                .feed(TestSettings.feed(node, new Feed.Terms(4000, 30_000, 2000, 100)))
                .join();
    }
}

package io.delayjob.engine.internal.administering;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.TestSettings;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.memory.MemoryBackend;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What a node with three shards says of a fleet that has fewer. */
@ExtendWith(OutputCaptureExtension.class)
class ShardsWatchTest {

    private static final Duration ANY = Duration.ofSeconds(30);
    private static final String WARNING =
            "queue 'q' has 3 shards on this node, and the nodes that run its jobs, [other], have fewer";

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final MemoryBackend backend = new MemoryBackend(() -> 1_000_000);
    private final Queues queues =
            new Queues(backend, TestSettings.node("q", TestSettings.shards(3), ANY), queue -> true, scheduler);
    private final ShardsWatch watch = new ShardsWatch(queues);

    @AfterEach
    void close() {
        scheduler.shutdownNow();
    }

    @Test
    void warnsOnceOfShardsThatNoNodeRuns(CapturedOutput output) {
        queues.shards("q");
        feed(0);
        watch.look();
        assertThat(output).doesNotContain(WARNING);
        watch.look();
        assertThat(output).contains(WARNING, "submitted here to shard 2 waits", "Set delayjob.shards");
        watch.look();
        assertThat(output).containsOnlyOnce(WARNING);
    }

    @Test
    void doesNotTakeANodeThatStartsForOneWithFewerShards(CapturedOutput output) {
        queues.shards("q");
        feed(0);
        watch.look();
        feed(2);
        watch.look();
        watch.look();
        assertThat(output).doesNotContain("shards");
    }

    @Test
    void saysNothingWhereNobodyRunsJobsOfTheQueue(CapturedOutput output) {
        queues.shards("q");
        watch.look();
        watch.look();
        assertThat(output).doesNotContain("shards");
    }

    private void feed(int shard) {
        backend.ledger(new ShardId("q", shard), Retention.NONE, Replication.NONE)
                .feed(TestSettings.feed(
                        new Feed.Presence("other", 10_000, 16, 16, Set.of("job")),
                        new Feed.Terms(4000, 30_000, 2000, 100)))
                .join();
    }
}

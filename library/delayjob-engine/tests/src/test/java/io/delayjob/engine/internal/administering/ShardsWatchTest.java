package io.delayjob.engine.internal.administering;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.TestSettings;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.memory.MemoryBackend;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Warnings of nodes with different numbers of shards. */
@Isolated("reads what the whole JVM prints")
@ExtendWith(OutputCaptureExtension.class)
class ShardsWatchTest {

    private static final Duration ANY = Duration.ofSeconds(30);

    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final MemoryBackend backend = new MemoryBackend(() -> 1_000_000);

    @AfterEach
    void close() {
        scheduler.shutdownNow();
    }

    private ShardsWatch watch(int shards, String... consumed) {
        Queues queues =
                new Queues(backend, TestSettings.node("q", TestSettings.shards(shards), ANY), queue -> true, scheduler);
        return new ShardsWatch(queues, () -> Set.of(consumed));
    }

    private static String warning(int here, int others) {
        return "queue 'q' has " + here + " shards on this node and " + others + " on another one";
    }

    @Test
    void aNodeThatSubmitsToMoreShardsThanAreRunSaysSoAtItsFirstSubmit(CapturedOutput output) {
        watch(1, "q").look("q");
        ShardsWatch submits = watch(3);
        submits.look("q");
        assertThat(output).contains(warning(3, 1), "jobs in shard 1 and above wait", "Set delayjob.shards");
        submits.look();
        assertThat(output).containsOnlyOnce(warning(3, 1));
    }

    @Test
    void aNodeThatRunsFewerShardsThanWereSubmittedToSaysSoWhenItStarts(CapturedOutput output) {
        watch(3).look("q");
        watch(2, "q").look("q");
        assertThat(output).contains(warning(2, 3), "jobs in shard 2 and above wait");
    }

    @Test
    void whoSubmitsDoesNotDecideForTheNodesThatRunTheJobs(CapturedOutput output) {
        watch(2, "q").look("q");
        watch(3).look("q");
        watch(2, "q").look("q");
        assertThat(output).contains(warning(3, 2)).doesNotContain(warning(2, 3));
    }

    @Test
    void aNumberThatIsChangedEverywhereIsNoneThatDiffers(CapturedOutput output) {
        watch(2, "q").look("q");
        watch(3, "q").look("q");
        ShardsWatch second = watch(3, "q");
        second.look("q");
        second.look();
        assertThat(output).containsOnlyOnce(warning(3, 2));
    }

    @Test
    void oneShardIsWhereAllLook(CapturedOutput output) {
        watch(3, "q").look("q");
        watch(1).look("q");
        assertThat(output).doesNotContain("shards on this node");
    }
}

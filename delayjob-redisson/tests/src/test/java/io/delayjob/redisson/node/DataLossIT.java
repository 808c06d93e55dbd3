package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobRequest;
import io.delayjob.embedded.RedisCall;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TelemetryLog;
import io.delayjob.engine.TestSettings;
import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Redis loses its data while nodes run: they notice, and say so; they do not where it lost none. */
@ExtendWith(OutputCaptureExtension.class)
class DataLossIT {

    private static final String NOTICE = "Redis has lost the jobs of ";
    private static final String LATEST = "Redis has lost its latest writes to ";

    private final String queue = TestSettings.queue();
    private final TelemetryLog telemetry = new TelemetryLog();
    private final NoteJob job = new NoteJob();

    private TestNode start(OwnRedis redis) {
        return TestNode.start(
                redis.url(), queue, TestSettings.defaults(), telemetry.extensions(), TestSettings.registered(job));
    }

    private long notices() {
        return telemetry.lines().stream()
                .filter(line -> line.equals(queue + " replaced " + queue + ":0"))
                .count();
    }

    private void run(TestNode node, String id) {
        // While Redis comes back, nobody can say whether a submit arrived; its id makes another try safe.
        await().atMost(TestSettings.SOON).ignoreExceptions().until(() -> {
            node.producer()
                    .submitDelayJob(
                            DelayJobRequest.of(NoteJob.class, new Note(id, 1)).withId(id), Duration.ZERO);
            return true;
        });
        await().atMost(TestSettings.SOON).until(() -> job.ids().contains(id));
    }

    /** Every node has fed, and each knows the data. */
    private void awaitFed(TestNode... nodes) {
        for (TestNode node : nodes) {
            await().atMost(TestSettings.SOON)
                    .until(() -> node.admin().nodes(queue).stream()
                            .anyMatch(known -> known.node().equals(node.name())));
        }
    }

    @Test
    void everyNodeNoticesThatRedisWasEmptied(CapturedOutput output) throws IOException {
        try (OwnRedis redis = OwnRedis.start();
                TestNode first = start(redis);
                TestNode second = start(redis)) {
            run(first, "before");
            awaitFed(first, second);
            RedisCall.call(redis.url(), "FLUSHALL");
            await().atMost(TestSettings.SOON).until(() -> notices() == 2);
            assertThat(output).contains(NOTICE + queue + ":0").doesNotContain("Nothing is lost");
            assertThat(first.engine.vitals(queue).orElseThrow().replaced()).isEqualTo(1);
            run(second, "after");
            assertThat(notices()).isEqualTo(2);
        }
    }

    @Test
    void aNodeNoticesThatRedisCameBackWithoutItsData() {
        try (OwnRedis redis = OwnRedis.start();
                TestNode node = start(redis)) {
            run(node, "before");
            awaitFed(node);
            redis.kill();
            redis.restart();
            await().atMost(TestSettings.SOON).until(() -> notices() == 1);
            run(node, "after");
        }
    }

    @Tag("proof")
    @Test
    void aNodeNoticesThatRedisCameBackWithAnOlderCopy() throws Exception {
        try (OwnRedis redis = OwnRedis.start("--save", "3600", "1000000");
                TestNode node = start(redis)) {
            run(node, "before");
            awaitFed(node);
            RedisCall.call(redis.url(), "SAVE");
            // The age of the copy is what is tested.
            Thread.sleep(13_000);
            redis.kill();
            redis.restart();
            await().atMost(TestSettings.SOON).until(() -> notices() == 1);
        }
    }

    /** Like a crash with an append-only file that was not synced, or a failover to a replica that was behind. */
    @Test
    void aNodeNoticesThatRedisHasLostWhatWasWrittenLast(CapturedOutput output) throws Exception {
        try (OwnRedis redis = OwnRedis.start("--save", "3600", "1000000");
                TestNode node = start(redis)) {
            run(node, "before");
            awaitFed(node);
            RedisCall.call(redis.url(), "SAVE");
            String entry = registered(redis, node);
            await().atMost(TestSettings.SOON)
                    .until(() -> !registered(redis, node).equals(entry));
            run(node, "lost");
            redis.kill();
            redis.restart();
            await().atMost(TestSettings.SOON)
                    .until(() -> output.getAll().contains(LATEST + queue + ":0")
                            || output.getAll().contains(NOTICE + queue + ":0"));
        }
    }

    private String registered(OwnRedis redis, TestNode node) throws IOException {
        return RedisCall.call(redis.url(), "ZSCORE", "delayjob:{" + queue + ":0}:nodes", node.name());
    }

    @Tag("proof")
    @Test
    void noNodeCriesWolf(CapturedOutput output) throws Exception {
        try (OwnRedis redis = OwnRedis.start("--appendonly", "yes", "--appendfsync", "always");
                TestNode first = start(redis)) {
            run(first, "before");
            try (TestNode second = start(redis)) {
                awaitFed(first, second);
                redis.kill();
                redis.restart();
                run(second, "after a restart with its data");
            }
            RedisCall.call(redis.url(), "DEL", "delayjob:{" + queue + ":0}:nodes");
            run(first, "after the registry was evicted");
            awaitFed(first);
            RedisCall.call(redis.url(), "DEL", "delayjob:{" + queue + ":0}:pulse");
            await().atMost(TestSettings.SOON)
                    .until(() -> RedisCall.call(redis.url(), "EXISTS", "delayjob:{" + queue + ":0}:pulse")
                            .equals("1"));
            redis.pause();
            Thread.sleep(7000);
            redis.resume();
            run(first, "after a sleep");
            awaitFed(first);
            assertThat(notices()).isZero();
            assertThat(output).doesNotContain(NOTICE, LATEST);
        }
    }
}

package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobRequest;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.WorkerThreads;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.settings.ConsumeSettings;
import io.delayjob.engine.settings.ConsumedQueue;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.NodeQueues;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.settings.SubmitSettings;
import io.delayjob.redisson.internal.redis.RedisBackend;
import io.delayjob.testing.OwnRedis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNodes;
import org.redisson.config.Config;
import tools.jackson.databind.json.JsonMapper;

/** More queues and shards than a client with its default settings has connections, on a Redis of their own that counts those. */
@Tag("proof")
class ManyQueuesIT {

    private static final int SHARDS = 8;

    private final OwnRedis redis = OwnRedis.start();
    private final NoteJob job = new NoteJob();
    private final RedissonClient redisson = client();

    private RedissonClient client() {
        Config config = new Config();
        config.useSingleServer().setAddress(redis.url());
        return Redisson.create(config);
    }

    @AfterEach
    void close() {
        redisson.shutdown();
        redis.close();
    }

    @Test
    void runsTheJobsOfAllShardsOfNineQueues() {
        runsJobsOfAllShards(9);
    }

    /** Of Redisson's: 24 connections that are always open, and at most half of the 250 channels, 5 on a connection. */
    @Test
    void fiftyQueuesKeepFewConnectionsAndAThreadForEachShard() {
        runsJobsOfAllShards(50);
    }

    private void runsJobsOfAllShards(int count) {
        List<String> queues = IntStream.range(0, count)
                .mapToObj(i -> "q-" + i + "-" + TestSettings.queue())
                .toList();
        long others = ownThreads();
        try (DelayJobEngine engine = engine(queues)) {
            engine.start();
            for (int round = 0; round < 2; round++) {
                int before = job.seen().size();
                int submitted = submit(engine, queues, round);
                await().atMost(Duration.ofMinutes(3)).until(() -> job.seen().size() >= before + submitted);
            }
            assertThat(job.ids()).doesNotHaveDuplicates();
            assertThat(ownThreads() - others).isLessThanOrEqualTo(count * SHARDS + 10);
            assertThat(blocked()).isLessThanOrEqualTo(16);
            await().until(() -> blocked() >= 1);
            assertThat(connections()).isLessThanOrEqualTo(64 + 25 + 5);
        }
    }

    private int submit(DelayJobEngine engine, List<String> queues, int round) {
        int submitted = 0;
        for (String queue : queues) {
            for (int i = 0; i < 3 * SHARDS; i++) {
                DelayJobRequest<Note> request = DelayJobRequest.of(NoteJob.class, new Note(queue, i))
                        .withQueue(queue)
                        .withId(round + "-" + queue + "-" + i);
                var unused = engine.producer().submitDelayJobAsync(request, Duration.ofMillis(1000L * round));
                submitted++;
            }
        }
        return submitted;
    }

    private DelayJobEngine engine(List<String> queues) {
        // A lease as long as that of the defaults: on a slow machine no job is to run twice.
        QueueSettings settings =
                TestSettings.shards(SHARDS).with(new ConsumedQueue("any", null, null, Duration.ofSeconds(30), null));
        return new DelayJobEngine(
                new EngineSettings(
                        "node",
                        new NodeQueues(
                                queues.get(0),
                                settings,
                                queues.stream().collect(Collectors.toMap(Function.identity(), queue -> settings))),
                        new SubmitSettings(1024, Duration.ofSeconds(20), false),
                        new ConsumeSettings(true, Duration.ofSeconds(2), Duration.ofSeconds(3))),
                new RedisBackend(redisson, "delayjob", Runnable::run),
                new HandlerRegistry(() -> List.of(TestSettings.registered(job))),
                new ParamCodec(JsonMapper.builder().build(), 1024),
                WorkerThreads.PLATFORM,
                Extensions.NONE);
    }

    /** All of delayjob but those that come and go with jobs and calls. */
    private static long ownThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("delayjob-"))
                .filter(name -> !name.contains("-worker-") && !name.equals("delayjob-callback"))
                .count();
    }

    private long connections() {
        return Long.parseLong(clients().get("connected_clients"));
    }

    private long blocked() {
        return Long.parseLong(clients().get("blocked_clients"));
    }

    private Map<String, String> clients() {
        return redisson.getRedisNodes(RedisNodes.SINGLE)
                .getInstance()
                .info(org.redisson.api.redisnode.RedisNode.InfoSection.CLIENTS);
    }
}

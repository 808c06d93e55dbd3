package io.delayjob.redisson.internal.engine;

import io.delayjob.Backoff;
import io.delayjob.DelayJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.redisson.internal.redis.RedisBackend;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import tools.jackson.databind.json.JsonMapper;

/** One node of a fleet in this JVM: an engine on a client of its own. */
final class TestNode implements AutoCloseable {

    static final Duration LEASE = Duration.ofSeconds(2);

    final RedissonClient redisson;
    final DelayJobEngine engine;

    /** A node that has not started. */
    TestNode(String url, String queue, QueueSettings defaults, DelayJob<?>... jobs) {
        this.redisson = client(url);
        ParamCodec params = new ParamCodec(JsonMapper.builder().build(), 256 * 1024);
        List<RegisteredJob> registered =
                List.of(jobs).stream().map(job -> registered(job, params)).toList();
        this.engine = new DelayJobEngine(
                new EngineSettings(
                        "node-" + UUID.randomUUID().toString().substring(0, 8),
                        queue,
                        true,
                        defaults,
                        Map.of(),
                        256 * 1024,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3)),
                new RedisBackend(redisson, "delayjob", Runnable::run),
                new JobRegistry(() -> registered),
                params,
                WorkerThreads.PLATFORM);
    }

    static TestNode start(String url, String queue, DelayJob<?>... jobs) {
        return start(url, queue, defaults(), jobs);
    }

    static TestNode start(String url, String queue, QueueSettings defaults, DelayJob<?>... jobs) {
        TestNode node = new TestNode(url, queue, defaults, jobs);
        node.engine.start();
        return node;
    }

    static QueueSettings defaults() {
        return new QueueSettings(1, 16, LEASE, 3, Backoff.fixed(Duration.ofMillis(50)), null);
    }

    /** The defaults with another concurrency. */
    static QueueSettings concurrency(int concurrency) {
        QueueSettings all = defaults();
        return new QueueSettings(
                all.shards(), concurrency, all.lease(), all.maxAttempts(), all.backoff(), all.timeout());
    }

    static RedissonClient client(String url) {
        Config config = new Config();
        config.useSingleServer().setAddress(url).setConnectionMinimumIdleSize(4);
        return Redisson.create(config);
    }

    static String queue() {
        return "q-" + UUID.randomUUID();
    }

    private static RegisteredJob registered(DelayJob<?> job, ParamCodec params) {
        return new RegisteredJob(
                job.getClass().getName(),
                job.getClass(),
                params.type(job.getClass()).findTypeParameters(DelayJob.class)[0],
                () -> job);
    }

    DelayJobProducer producer() {
        return engine.producer();
    }

    DelayJobAdmin admin() {
        return engine.admin();
    }

    /** Ends the node as a kill would: nothing is released, nothing is said. */
    void kill() {
        redisson.shutdown();
    }

    @Override
    public void close() {
        if (!redisson.isShutdown()) {
            engine.close();
            redisson.shutdown();
        }
    }
}

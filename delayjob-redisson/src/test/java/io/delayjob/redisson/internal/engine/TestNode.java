package io.delayjob.redisson.internal.engine;

import static org.awaitility.Awaitility.await;

import io.delayjob.AckMode;
import io.delayjob.Backoff;
import io.delayjob.DelayJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.redisson.internal.ledger.Replication;
import io.delayjob.redisson.internal.ledger.Retention;
import io.delayjob.redisson.internal.redis.RedisBackend;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.redisson.Redisson;
import org.redisson.api.RTopic;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import tools.jackson.databind.json.JsonMapper;

/** One node of a fleet in this JVM: an engine on a client of its own. */
final class TestNode implements AutoCloseable {

    static final Duration LEASE = Duration.ofSeconds(2);

    /** Long enough, on a machine that is busy with something else, for whatever is bound to come at once. */
    static final Duration SOON = Duration.ofSeconds(30);

    private static final ParamCodec PARAMS = new ParamCodec(JsonMapper.builder().build(), 256 * 1024);

    private final String name = "node-" + UUID.randomUUID().toString().substring(0, 8);
    final RedissonClient redisson;
    final DelayJobEngine engine;
    private final HeardRings rings;

    /** A node that has not started. */
    TestNode(String url, String queue, QueueSettings defaults, Extensions extensions, RegisteredJob... jobs) {
        this(config(url), queue, defaults, extensions, jobs);
    }

    /** A node that has not started, on any kind of Redis. */
    TestNode(Config config, String queue, QueueSettings defaults, Extensions extensions, RegisteredJob... jobs) {
        this.redisson = Redisson.create(config);
        this.rings = new HeardRings(new RedisBackend(redisson, "delayjob", Runnable::run));
        this.engine = new DelayJobEngine(
                new EngineSettings(
                        name,
                        queue,
                        true,
                        defaults,
                        Map.of(),
                        256 * 1024,
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(2),
                        false,
                        Duration.ofSeconds(3)),
                rings,
                new JobRegistry(() -> List.of(jobs)),
                PARAMS,
                WorkerThreads.PLATFORM,
                extensions);
    }

    static TestNode start(String url, String queue, DelayJob<?>... jobs) {
        return start(url, queue, defaults(), jobs);
    }

    static TestNode start(String url, String queue, QueueSettings defaults, DelayJob<?>... jobs) {
        return start(url, queue, defaults, Extensions.NONE, registered(jobs));
    }

    /** A node with few threads and connections, of which many fit into a JVM. */
    static TestNode startSmall(String url, String queue, DelayJob<?>... jobs) {
        Config config = config(url);
        config.setThreads(2).setNettyThreads(2);
        config.useSingleServer().setConnectionMinimumIdleSize(2).setConnectionPoolSize(4);
        return start(config, queue, concurrency(2), Extensions.NONE, registered(jobs));
    }

    static TestNode start(
            String url, String queue, QueueSettings defaults, Extensions extensions, RegisteredJob... jobs) {
        return start(config(url), queue, defaults, extensions, jobs);
    }

    static TestNode start(
            Config config, String queue, QueueSettings defaults, Extensions extensions, RegisteredJob... jobs) {
        TestNode node = new TestNode(config, queue, defaults, extensions, jobs);
        node.engine.start();
        return node;
    }

    static QueueSettings defaults() {
        return settings(1, Retention.NONE, Replication.NONE);
    }

    /** The defaults over several shards. */
    static QueueSettings shards(int shards) {
        return settings(shards, Retention.NONE, Replication.NONE);
    }

    /** The defaults with finished jobs kept. */
    static QueueSettings retaining(Retention retention) {
        return settings(1, retention, Replication.NONE);
    }

    /** The defaults over several shards, with submits that replicas acknowledge. */
    static QueueSettings replicated(int shards, Replication replication) {
        return settings(shards, Retention.NONE, replication);
    }

    private static QueueSettings settings(int shards, Retention retention, Replication replication) {
        return new QueueSettings(
                shards,
                16,
                LEASE,
                3,
                Backoff.fixed(Duration.ofMillis(50)),
                null,
                null,
                3,
                ExceptionRules.NONE,
                retention,
                replication);
    }

    /** The defaults with another concurrency. */
    static QueueSettings concurrency(int concurrency) {
        return defaults().with(new ListenedQueue("any", null, concurrency, null, null));
    }

    static RedissonClient client(String url) {
        return Redisson.create(config(url));
    }

    private static Config config(String url) {
        Config config = new Config();
        config.useSingleServer().setAddress(url).setConnectionMinimumIdleSize(4);
        return config;
    }

    static String queue() {
        return "q-" + UUID.randomUUID();
    }

    static RegisteredJob[] registered(DelayJob<?>... jobs) {
        return Stream.of(jobs).map(job -> registered(job, JobOptions.NONE)).toArray(RegisteredJob[]::new);
    }

    /** A bean that states options for its jobs. */
    @SuppressWarnings("unchecked")
    static RegisteredJob registered(DelayJob<?> job, JobOptions options) {
        return new RegisteredJob(
                job.getClass().getName(),
                "bean",
                job.getClass(),
                PARAMS.type(job.getClass()).findTypeParameters(DelayJob.class)[0],
                (execution, acknowledgment) -> ((DelayJob<Object>) job).execute(execution),
                AckMode.ON_SUCCESS,
                options,
                null);
    }

    /** A listener for payloads of {@link Note}. */
    static RegisteredJob listener(String topic, AckMode ackMode, RegisteredJob.Work work) {
        return new RegisteredJob(
                topic,
                "listener",
                null,
                PARAMS.type(Note.class),
                work,
                ackMode,
                JobOptions.NONE,
                new ListenedQueue(topic, null, null, null, null));
    }

    String name() {
        return name;
    }

    /** How many rings of doorbells this node has heard. */
    long rings() {
        return rings.heard();
    }

    DelayJobProducer producer() {
        return engine.producer();
    }

    DelayJobAdmin admin() {
        return engine.admin();
    }

    /** Returns when it hears of cancels. It begins to some time after its start; what was cancelled before, renewals find out. */
    void awaitListening() {
        RTopic notices = redisson.getTopic("delayjob:cancelled");
        await().atMost(SOON).until(() -> notices.countListeners() > 0 && notices.countSubscribers() > 0);
    }

    /** The job, once it is dead. */
    JobSnapshot awaitDead(String queue, String id) {
        await().atMost(SOON)
                .until(() -> admin().find(queue, id)
                        .map(JobSnapshot::state)
                        .filter(JobState.DEAD::equals)
                        .isPresent());
        return admin().find(queue, id).orElseThrow();
    }

    /** Ends the node as a kill would: nothing is released, nothing is said. */
    void kill() {
        // Without waiting for polls that are under way: the fleet must not seem to be without nodes for long.
        redisson.shutdown(0, 100, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        if (!redisson.isShutdown()) {
            engine.close();
            redisson.shutdown();
        }
    }
}

package io.delayjob.redisson.node;

import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.WorkerThreads;
import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.settings.ConsumeSettings;
import io.delayjob.engine.settings.ConsumedQueue;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.NodeQueues;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.settings.SubmitSettings;
import io.delayjob.redisson.internal.redis.RedisBackend;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RTopic;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** One node of a fleet in this JVM: an engine on a client of its own. */
final class TestNode implements AutoCloseable {

    private static final Duration SUBMIT_TIMEOUT = Duration.ofSeconds(5);

    private static final ConsumeSettings CONSUMING =
            new ConsumeSettings(true, Duration.ofSeconds(2), Duration.ofSeconds(3));

    /** A node with these gives no job up that nobody can run, and interrupts none when it stops, while a test looks. */
    static final ConsumeSettings PATIENT = new ConsumeSettings(true, TestSettings.SOON, TestSettings.SOON);

    private final String name = "node-" + UUID.randomUUID().toString().substring(0, 8);
    final RedissonClient redisson;
    final DelayJobEngine engine;
    private final HeardRings rings;

    /** A node that has not started. */
    TestNode(String url, String queue, QueueSettings defaults, Extensions extensions, Handler... jobs) {
        this(config(url), queue, defaults, extensions, jobs);
    }

    /** A node that has not started, on any kind of Redis. */
    TestNode(Config config, String queue, QueueSettings defaults, Extensions extensions, Handler... jobs) {
        this(config, queue, defaults, SUBMIT_TIMEOUT, CONSUMING, extensions, jobs);
    }

    /** A node that has not started and that gives up a submit after a time of its own. */
    TestNode(
            Config config,
            String queue,
            QueueSettings defaults,
            Duration submitTimeout,
            Extensions extensions,
            Handler... jobs) {
        this(config, queue, defaults, submitTimeout, CONSUMING, extensions, jobs);
    }

    private TestNode(
            Config config,
            String queue,
            QueueSettings defaults,
            Duration submitTimeout,
            ConsumeSettings consuming,
            Extensions extensions,
            Handler... jobs) {
        this.redisson = Redisson.create(config);
        this.rings = new HeardRings(new RedisBackend(redisson, "delayjob", Runnable::run));
        this.engine = new DelayJobEngine(
                new EngineSettings(
                        name,
                        new NodeQueues(queue, defaults, Map.of()),
                        new SubmitSettings(256 * 1024, submitTimeout, false),
                        consuming),
                rings,
                new HandlerRegistry(() -> List.of(jobs)),
                TestSettings.PARAMS,
                WorkerThreads.PLATFORM,
                extensions);
    }

    /** The defaults with a lease that does not end while a test looks, though the machine stands still for seconds: nothing runs twice. */
    static QueueSettings patient() {
        return patient(TestSettings.defaults());
    }

    /** Settings with such a lease. */
    static QueueSettings patient(QueueSettings settings) {
        return leasing(settings, FlowFleet.LONG_LEASE);
    }

    /** Settings with another lease. */
    static QueueSettings leasing(QueueSettings settings, Duration lease) {
        return settings.with(new ConsumedQueue("any", null, null, lease, null));
    }

    /** A node with a patient lease. */
    static TestNode start(String url, String queue, DelayJob<?>... jobs) {
        return start(url, queue, patient(), jobs);
    }

    static TestNode start(String url, String queue, QueueSettings defaults, DelayJob<?>... jobs) {
        return start(url, queue, defaults, Extensions.NONE, TestSettings.registered(jobs));
    }

    /** A node with few threads and connections, of which many fit into a JVM. */
    static TestNode startSmall(String url, String queue, DelayJob<?>... jobs) {
        Config config = config(url);
        config.setThreads(2).setNettyThreads(2);
        config.useSingleServer().setConnectionMinimumIdleSize(2).setConnectionPoolSize(4);
        return start(
                config, queue, patient(TestSettings.concurrency(2)), Extensions.NONE, TestSettings.registered(jobs));
    }

    static TestNode start(String url, String queue, QueueSettings defaults, Extensions extensions, Handler... jobs) {
        return start(config(url), queue, defaults, extensions, jobs);
    }

    static TestNode start(Config config, String queue, QueueSettings defaults, Extensions extensions, Handler... jobs) {
        TestNode node = new TestNode(config, queue, defaults, extensions, jobs);
        node.engine.start();
        return node;
    }

    /** A node with a patient lease that consumes by settings of its own, such as {@link #PATIENT}. */
    static TestNode start(String url, String queue, ConsumeSettings consuming, Extensions extensions, Handler... jobs) {
        TestNode node = new TestNode(config(url), queue, patient(), SUBMIT_TIMEOUT, consuming, extensions, jobs);
        node.engine.start();
        return node;
    }

    static RedissonClient client(String url) {
        return Redisson.create(config(url));
    }

    static Config config(String url) {
        Config config = new Config();
        config.useSingleServer().setAddress(url).setConnectionMinimumIdleSize(4);
        return config;
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
        await().atMost(TestSettings.SOON).until(() -> notices.countListeners() > 0 && notices.countSubscribers() > 0);
    }

    /** The job, once it is dead. */
    JobSnapshot awaitDead(String queue, String id) {
        await().atMost(TestSettings.SOON)
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

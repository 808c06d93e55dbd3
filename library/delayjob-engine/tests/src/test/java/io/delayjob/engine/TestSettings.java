package io.delayjob.engine;

import io.delayjob.AckMode;
import io.delayjob.Backoff;
import io.delayjob.DelayJob;
import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.engine.settings.ConsumeSettings;
import io.delayjob.engine.settings.ConsumedQueue;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.ExceptionRules;
import io.delayjob.engine.settings.NodeQueues;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.settings.SubmitSettings;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The queues and handlers of tests. */
public final class TestSettings {

    public static final Duration LEASE = Duration.ofSeconds(2);

    /** Long enough, on a machine that is busy with something else, for whatever is bound to come at once. */
    public static final Duration SOON = Duration.ofMinutes(2);

    public static final ParamCodec PARAMS = new ParamCodec(JsonMapper.builder().build(), 256 * 1024);

    /** The terms of feeds. A holder holds for longer than a test takes: in Redis it ends by a clock that tests do not set. */
    public static final Feed.Terms TERMS = new Feed.Terms(60_000, 30_000, 2000, 100);

    private TestSettings() {}

    public static String queue() {
        return "q-" + UUID.randomUUID();
    }

    public static QueueSettings defaults() {
        return settings(1, Retention.NONE, Replication.NONE);
    }

    /** The defaults over several shards. */
    public static QueueSettings shards(int shards) {
        return settings(shards, Retention.NONE, Replication.NONE);
    }

    /** The defaults with finished jobs kept. */
    public static QueueSettings retaining(Retention retention) {
        return retaining(1, retention);
    }

    /** The same over several shards. */
    public static QueueSettings retaining(int shards, Retention retention) {
        return settings(shards, retention, Replication.NONE);
    }

    /** The defaults over several shards, with submits that replicas acknowledge. */
    public static QueueSettings replicated(int shards, Replication replication) {
        return settings(shards, Retention.NONE, replication);
    }

    private static QueueSettings settings(int shards, Retention retention, Replication replication) {
        return new QueueSettings(
                shards,
                16,
                LEASE,
                new AttemptPolicy(3, Backoff.fixed(Duration.ofMillis(50)), null, null, ExceptionRules.NONE),
                3,
                retention,
                replication);
    }

    /** A node that runs jobs, whose timeouts are all the same. */
    public static EngineSettings node(String defaultQueue, QueueSettings queues, Duration timeouts) {
        return new EngineSettings(
                "n",
                new NodeQueues(defaultQueue, queues, Map.of()),
                new SubmitSettings(1000, timeouts, false),
                new ConsumeSettings(true, timeouts, timeouts));
    }

    /** The defaults with another concurrency. */
    public static QueueSettings concurrency(int concurrency) {
        return defaults().with(new ConsumedQueue("any", null, concurrency, null, null));
    }

    /** The first feed of a node. */
    public static Feed.Request feed(Feed.Presence node) {
        return feed(node, TERMS);
    }

    /** The first feed of a node by other terms. */
    public static Feed.Request feed(Feed.Presence node, Feed.Terms terms) {
        return new Feed.Request(node, terms, 0, Feed.Pulse.NONE);
    }

    public static Handler[] registered(DelayJob<?>... jobs) {
        return Stream.of(jobs).map(job -> registered(job, AttemptPolicy.NONE)).toArray(Handler[]::new);
    }

    /** A bean that states options for its jobs. */
    public static Handler registered(DelayJob<?> job, AttemptPolicy options) {
        return registered(job, options, null);
    }

    /** A bean that also states the priority of its jobs. */
    @SuppressWarnings("unchecked")
    public static Handler registered(DelayJob<?> job, AttemptPolicy options, @Nullable Integer priority) {
        return new Handler(
                job.getClass().getName(),
                "bean",
                job.getClass(),
                PARAMS.type(job.getClass()).findTypeParameters(DelayJob.class)[0],
                (execution, acknowledgment) -> ((DelayJob<Object>) job).execute(execution),
                AckMode.ON_SUCCESS,
                options,
                priority,
                null);
    }

    /** A listener for payloads of {@link Note}. */
    public static Handler listener(String topic, AckMode ackMode, Handler.Work work) {
        return new Handler(
                topic,
                "listener",
                null,
                PARAMS.type(Note.class),
                work,
                ackMode,
                AttemptPolicy.NONE,
                null,
                new ConsumedQueue(topic, null, null, null, null));
    }
}

package io.delayjob.redisson.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.JobEvent;
import io.delayjob.QueueCounts;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.extension.Transactions;
import io.delayjob.engine.settings.ConsumedQueue;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.telemetry.Telemetry;
import io.delayjob.spi.JobEventListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.redisson.config.Config;

/** Two nodes on some kind of Redis that run the jobs of a {@link Flow}. */
final class FlowFleet implements AutoCloseable, JobEventListener {

    /** No lease of this length ends while a test runs: what runs twice all the same is a fault. */
    static final Duration LONG_LEASE = Duration.ofSeconds(60);

    /** Jobs whose ids begin so run until they are interrupted. */
    static final String LONG = "long";

    private final String queue;
    private final NoteJob job = new NoteJob(execution -> work(execution.id()));
    private final Set<String> interrupted = ConcurrentHashMap.newKeySet();
    private final Map<String, Long> completed = new ConcurrentHashMap<>();
    private final List<TestNode> nodes = new ArrayList<>();
    private @Nullable Flow flow;

    FlowFleet(Config config, String queue, int shards, Duration lease) {
        this.queue = queue;
        QueueSettings settings = TestSettings.shards(shards).with(new ConsumedQueue("any", null, null, lease, null));
        Extensions extensions =
                new Extensions(List::of, JobEvents.onCallersThread(List.of(this)), Transactions.NONE, Telemetry.NONE);
        for (int i = 0; i < 2; i++) {
            nodes.add(TestNode.start(config, queue, settings, extensions, TestSettings.registered(job)));
        }
    }

    private void work(String id) throws InterruptedException {
        if (id.startsWith(LONG)) {
            try {
                Thread.sleep(LONG_LEASE.toMillis());
            } catch (InterruptedException e) {
                interrupted.add(id);
                throw e;
            }
        }
    }

    @Override
    public void onEvent(JobEvent event) {
        if (event instanceof JobEvent.Completed) {
            completed.putIfAbsent(event.id(), System.nanoTime());
        }
    }

    Flow startFlow() {
        Flow started = Flow.start(first().producer());
        flow = started;
        return started;
    }

    /** Ends the flow; returns when no job is left. */
    void finish(Flow flow) {
        flow.end();
        QueueCounts none = new QueueCounts(0, 0, 0, 0, 0, false);
        await().atMost(Duration.ofMinutes(3))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(first().admin().counts(queue)).isEqualTo(none));
    }

    /** Ends the flow: what was confirmed has run, what was refused has not, and nothing has run twice or early. */
    void finishWithEachRunOnce(Flow flow) {
        finish(flow);
        System.out.println(flow);
        flow.assertEachRanOnce(job);
        flow.assertNoneEarly(job);
    }

    /** The jobs whose end the ledger had confirmed before a time by {@link System#nanoTime}. */
    Set<String> completedBefore(long nanos) {
        Set<String> ids = new HashSet<>(completed.keySet());
        ids.removeIf(id -> completed.getOrDefault(id, Long.MAX_VALUE) - nanos >= 0);
        return ids;
    }

    boolean isInterruptedWithin(String id, Duration limit) {
        try {
            await().atMost(limit).until(() -> interrupted.contains(id));
            return true;
        } catch (ConditionTimeoutException e) {
            return false;
        }
    }

    TestNode first() {
        return nodes.get(0);
    }

    List<TestNode> nodes() {
        return nodes;
    }

    NoteJob job() {
        return job;
    }

    String queue() {
        return queue;
    }

    @Override
    public void close() {
        if (flow != null) {
            flow.stop();
        }
        nodes.forEach(TestNode::close);
    }
}

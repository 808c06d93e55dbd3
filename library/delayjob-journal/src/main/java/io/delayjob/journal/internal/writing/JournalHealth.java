package io.delayjob.journal.internal.writing;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Reports whether the journal is kept: its database can be written, the flow logs can be read, no queue is too far behind, and
 * nothing that Redis has lost waits to be restored.
 */
public final class JournalHealth extends AbstractHealthIndicator {

    private final FlowWriter writer;
    private final Duration maxLag;
    private final Supplier<List<String>> differences;

    /**
     * Looks at a writer.
     *
     * @param maxLag how long a step may wait to be written, or a job to be brought to Redis, before the node is DOWN; zero for no limit
     * @param differences in what other nodes' journals differ from this node's; shown, and no fault of this node
     */
    public JournalHealth(FlowWriter writer, Duration maxLag, Supplier<List<String>> differences) {
        super("the journal's health check failed");
        this.writer = writer;
        this.maxLag = maxLag;
        this.differences = differences;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        List<String> faults = new ArrayList<>();
        writer.databaseAwaySince()
                .ifPresent(since -> faults.add("the journal's database cannot be written since " + since));
        writer.redisAwaySince().ifPresent(since -> faults.add("the flow log of Redis cannot be read since " + since));
        Map<String, Object> queues = new LinkedHashMap<>();
        for (String queue : new TreeSet<>(writer.queues())) {
            QueueState state = writer.state(queue);
            faults.addAll(faults(queue, state));
            queues.put(queue, details(state));
        }
        builder.status(faults.isEmpty() ? "UP" : "DOWN").withDetail("queues", queues);
        List<String> others = differences.get();
        if (!others.isEmpty()) {
            builder.withDetail("differences", others);
        }
        if (!faults.isEmpty()) {
            builder.withDetail("faults", faults);
        }
    }

    private List<String> faults(String queue, QueueState state) {
        List<String> faults = new ArrayList<>();
        if (!maxLag.isZero() && state.lagMillis() > maxLag.toMillis()) {
            faults.add("queue " + queue + ": a step has waited to be written for "
                    + Duration.ofMillis(state.lagMillis()) + ", longer than delayjob.journal.max-lag=" + maxLag);
        }
        if (!maxLag.isZero() && state.relayLagMillis() > maxLag.toMillis()) {
            faults.add("queue " + queue + ": a job has waited to be brought to Redis for "
                    + Duration.ofMillis(state.relayLagMillis()) + ", longer than delayjob.journal.max-lag=" + maxLag);
        }
        if (state.isFull()) {
            faults.add("queue " + queue + ": a flow log has " + state.entries() + " entries, and may have "
                    + state.bound() + " (delayjob.journal.max-flow-entries): its jobs wait until it is written");
        }
        for (QueueState.LostShard one : state.lost()) {
            faults.add("since " + Instant.ofEpochMilli(one.lost().atMillis()) + ": "
                    + Losses.message(one.shard(), one.lost()));
        }
        return faults;
    }

    private static Map<String, Object> details(QueueState state) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("lag", Duration.ofMillis(state.lagMillis()));
        details.put("entries", state.entries());
        details.put("bound", state.bound());
        return details;
    }
}

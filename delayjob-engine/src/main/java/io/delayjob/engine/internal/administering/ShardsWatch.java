package io.delayjob.engine.internal.administering;

import io.delayjob.NodeSnapshot;
import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.calls.Shard;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns when a queue has more shards on this node than on all that run its jobs: what this node submits to the shards beyond theirs
 * waits, and nothing else would say so. Where nobody runs jobs of the queue, there is nothing to disagree with. Thread-safe.
 */
public final class ShardsWatch {

    /** Between two looks. */
    public static final Duration PERIOD = Duration.ofMinutes(1);

    /** In so many looks in a row, because a node that starts or stops is not in all shards at once. */
    private static final int CERTAIN = 2;

    private static final Logger log = LoggerFactory.getLogger(ShardsWatch.class);

    private final Queues queues;
    private final Map<String, Integer> missed = new ConcurrentHashMap<>();

    public ShardsWatch(Queues queues) {
        this.queues = queues;
    }

    /** Looks at the queues this node has to do with; waits for nothing. */
    public void look() {
        queues.open().forEach((queue, shards) -> {
            if (shards.size() > 1) {
                look(queue, shards);
            }
        });
    }

    private void look(String queue, List<Shard> shards) {
        Shard last = shards.get(shards.size() - 1);
        shards.get(0)
                .ledger()
                .fleet()
                .thenAcceptBoth(last.ledger().fleet(), (first, end) -> compare(queue, last, first.nodes(), end.nodes()))
                .exceptionally(failure -> {
                    log.debug("which nodes run the jobs of queue '{}' is not known", queue, failure);
                    return null;
                });
    }

    private void compare(String queue, Shard last, List<NodeSnapshot> first, List<NodeSnapshot> end) {
        if (first.isEmpty() || !end.isEmpty()) {
            missed.remove(queue);
        } else if (missed.merge(queue, 1, Integer::sum) == CERTAIN) {
            log.warn(
                    "queue '{}' has {} shards on this node, and the nodes that run its jobs, {}, have fewer: what is submitted here"
                            + " to shard {} waits until a node runs it. Set delayjob.shards, or that of the queue, to the same"
                            + " number everywhere",
                    queue,
                    last.id().number() + 1,
                    first.stream().map(NodeSnapshot::node).toList(),
                    last.id().number());
        }
    }
}

package io.delayjob.engine.internal.administering;

import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.calls.Shard;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns when a queue has another number of shards on this node than on those that run its jobs: jobs in shards that not all know wait,
 * and nothing else would say so. The number is stored with the queue by the nodes that run its jobs, or, before any does, by the first
 * that submits to it. Thread-safe.
 */
public final class ShardsWatch {

    /** Between two looks. */
    public static final Duration PERIOD = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(ShardsWatch.class);

    private final Queues queues;
    private final Supplier<Set<String>> consumed;
    private final Map<String, Integer> told = new ConcurrentHashMap<>();

    /**
     * A watch.
     *
     * @param consumed the queues whose jobs this node runs now
     */
    public ShardsWatch(Queues queues, Supplier<Set<String>> consumed) {
        this.queues = queues;
        this.consumed = consumed;
    }

    /** Looks at the queues this node has to do with; waits for nothing. */
    public void look() {
        queues.open().forEach(this::look);
    }

    /** Looks at a queue that this node begins to submit to or to run; waits for nothing. */
    public void look(String queue) {
        look(queue, queues.shards(queue));
    }

    private void look(String queue, List<Shard> shards) {
        boolean runs = consumed.get().contains(queue);
        // The jobs of a node with one shard are where all look.
        if (runs || shards.size() > 1) {
            shards.get(0)
                    .ledger()
                    .spread(shards.size(), runs)
                    .thenAccept(others -> compare(queue, shards.size(), others))
                    .exceptionally(failure -> {
                        log.debug("how many shards queue '{}' has elsewhere is not known", queue, failure);
                        return null;
                    });
        }
    }

    private void compare(String queue, int here, int others) {
        if (others == 0 || others == here) {
            told.remove(queue);
        } else if (!Integer.valueOf(others).equals(told.put(queue, others))) {
            log.warn(
                    "queue '{}' has {} shards on this node and {} on another one: jobs in shard {} and above wait until a node"
                            + " with that many runs them, and nodes with fewer neither find nor count them. Set delayjob.shards, or that"
                            + " of the queue, to the same number everywhere",
                    queue,
                    here,
                    others,
                    Math.min(here, others));
        }
    }
}

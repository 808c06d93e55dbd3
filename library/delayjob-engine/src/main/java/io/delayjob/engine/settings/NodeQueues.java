package io.delayjob.engine.settings;

import io.delayjob.support.Checks;
import java.util.List;
import java.util.Map;

/**
 * The queues of a node, and how each is run.
 *
 * @param defaultQueue where jobs go whose request names no queue
 * @param defaults of queues that have no settings of their own
 * @param named the queues with settings of their own; these and the default one are consumed
 * @param families how queues differ whose names begin alike, unless they are named
 */
public record NodeQueues(
        String defaultQueue, QueueSettings defaults, Map<String, QueueSettings> named, List<QueueFamily> families) {

    /** Checks the values. */
    public NodeQueues {
        Checks.queue(defaultQueue);
        named = Map.copyOf(named);
        named.keySet().forEach(Checks::queue);
        families = List.copyOf(families);
    }

    /** Queues without families. */
    public NodeQueues(String defaultQueue, QueueSettings defaults, Map<String, QueueSettings> named) {
        this(defaultQueue, defaults, named, List.of());
    }

    /** Whether a queue has settings here, so that they are those of every node that uses it. Others are queues of nodes that this one knows nothing of. */
    public boolean has(String queue) {
        return queue.equals(defaultQueue)
                || named.containsKey(queue)
                || families.stream().anyMatch(family -> queue.startsWith(family.prefix()));
    }

    /** The settings of a queue. */
    public QueueSettings of(String queue) {
        QueueSettings own = named.get(queue);
        return own == null ? QueueFamily.settings(families, queue, defaults) : own;
    }
}

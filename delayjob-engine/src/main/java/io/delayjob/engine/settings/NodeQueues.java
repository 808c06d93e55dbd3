package io.delayjob.engine.settings;

import io.delayjob.support.Checks;
import java.util.Map;

/**
 * The queues of a node, and how each is run.
 *
 * @param defaultQueue where jobs go whose request names no queue
 * @param defaults of queues that have no settings of their own
 * @param named the queues with settings of their own; these and the default one are consumed
 */
public record NodeQueues(String defaultQueue, QueueSettings defaults, Map<String, QueueSettings> named) {

    /** Checks the values. */
    public NodeQueues {
        Checks.queue(defaultQueue);
        named = Map.copyOf(named);
        named.keySet().forEach(Checks::queue);
    }

    /** The settings of a queue. */
    public QueueSettings of(String queue) {
        return named.getOrDefault(queue, defaults);
    }
}

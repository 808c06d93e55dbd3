package io.delayjob.engine.settings;

import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.Map;

/**
 * The settings of this node.
 *
 * @param node its name in Redis and in logs, unique in the fleet
 * @param defaultQueue where jobs go whose request names no queue
 * @param consume whether this node runs jobs, or only submits them
 * @param defaults of queues that have no settings of their own
 * @param queues the queues with settings; these and the default one are consumed
 * @param maxParamBytes the longest param, as UTF-8 JSON
 * @param submitTimeout by when a submit or an action on a job is answered
 * @param unableTimeout how long a job that no node can run is passed around before it is buried
 * @param submitAfterCommit whether submits inside a transaction wait for its commit, unless their request says otherwise
 * @param shutdownTimeout how long running jobs may go on at shutdown before they are interrupted and released
 */
public record EngineSettings(
        String node,
        String defaultQueue,
        boolean consume,
        QueueSettings defaults,
        Map<String, QueueSettings> queues,
        int maxParamBytes,
        Duration submitTimeout,
        Duration unableTimeout,
        boolean submitAfterCommit,
        Duration shutdownTimeout) {

    /** Checks the values. */
    public EngineSettings {
        Checks.queue(defaultQueue);
        queues = Map.copyOf(queues);
        queues.keySet().forEach(Checks::queue);
        Checks.atLeastOne(maxParamBytes, "maxParamBytes");
        Checks.positive(submitTimeout, "submitTimeout");
        Checks.notNegative(unableTimeout, "unableTimeout");
        Checks.notNegative(shutdownTimeout, "shutdownTimeout");
    }

    /** The settings of a queue. */
    public QueueSettings queue(String name) {
        return queues.getOrDefault(name, defaults);
    }
}

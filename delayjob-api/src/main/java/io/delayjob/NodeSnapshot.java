package io.delayjob;

import java.util.Set;

/**
 * A node that consumes a queue, as the node last reported itself. Nodes report every second to every five seconds.
 *
 * @param node the node's name
 * @param workers how many jobs of the queue it runs at once
 * @param free how many of its workers are free
 * @param jobs the names of the jobs it has handlers for: bean classes, {@link DelayJobName}s and topics
 */
public record NodeSnapshot(String node, int workers, int free, Set<String> jobs) {

    /** Copies the set. */
    public NodeSnapshot {
        jobs = Set.copyOf(jobs);
    }
}

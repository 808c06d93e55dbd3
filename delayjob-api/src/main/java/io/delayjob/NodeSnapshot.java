package io.delayjob;

import java.util.Set;

/**
 * A node that consumes a queue, as it last reported, about once a second.
 *
 * @param node its name
 * @param workers how many jobs of the queue it runs at once
 * @param free how many of its workers are free
 * @param jobs the names of the jobs it can run: bean classes, {@link DelayJobName}s and topics
 */
public record NodeSnapshot(String node, int workers, int free, Set<String> jobs) {

    /** Copies the set. */
    public NodeSnapshot {
        jobs = Set.copyOf(jobs);
    }
}

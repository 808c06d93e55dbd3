package io.delayjob.server.console.internal.look;

import io.delayjob.NodeSnapshot;
import io.delayjob.QueueCounts;
import io.delayjob.engine.ledger.Tally;
import java.util.List;
import java.util.Map;

/**
 * How a queue was at one moment.
 *
 * @param name its name
 * @param tally its jobs by state, for how long the one that has waited longest has been due, and which no node can run
 * @param nodes the nodes that run or claim its jobs
 * @param past its history of the last day
 */
public record QueueLook(String name, Tally tally, List<NodeSnapshot> nodes, Past past) {

    /** Its jobs by state. */
    public QueueCounts counts() {
        return tally.counts();
    }

    /** For how long the job that has waited longest has been due. */
    public long overdueMillis() {
        return tally.overdueMillis();
    }

    /** How many due jobs wait for a handler that no live node has, by its name. */
    public long unservedMillis() {
        return tally.unservedMillis();
    }

    public Map<String, Long> unhandled() {
        return tally.unhandled();
    }

    /** How many jobs its nodes run at once. */
    public int workers() {
        return nodes.stream()
                .filter(node -> !node.claims())
                .mapToInt(NodeSnapshot::workers)
                .sum();
    }

    /** How many more they could run now. */
    public int free() {
        return nodes.stream().mapToInt(NodeSnapshot::free).sum();
    }

    /** Whether its nodes have different handlers, so that a due job may wait for one of them. */
    public boolean isMixed() {
        return nodes.stream().map(NodeSnapshot::jobs).distinct().count() > 1;
    }

    /** Whether it has jobs that wait or run. */
    public boolean isBusy() {
        return counts().ready() + counts().reserved() > 0;
    }

    /** Rates and lateness of its attempts within the last minute. */
    public Rates rates() {
        return past.rates();
    }

    /** How many of its dead jobs died within the last hour. */
    public long died() {
        return Math.min(counts().dead(), past.died());
    }
}

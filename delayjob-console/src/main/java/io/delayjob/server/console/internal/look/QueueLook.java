package io.delayjob.server.console.internal.look;

import io.delayjob.NodeSnapshot;
import io.delayjob.QueueCounts;
import java.util.List;

/**
 * How a queue was at one moment.
 *
 * @param name its name
 * @param counts its jobs by state
 * @param overdueMillis for how long the job that has waited longest could have been handed out
 * @param nodes who runs its jobs
 * @param past what happened in it during the last day
 */
public record QueueLook(String name, QueueCounts counts, long overdueMillis, List<NodeSnapshot> nodes, Past past) {

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

    /** Whether it has jobs that wait or run. */
    public boolean isBusy() {
        return counts.ready() + counts.reserved() > 0;
    }

    /** What happened within the last minute. */
    public Rates rates() {
        return past.rates();
    }

    /** How many of its dead jobs died within the last hour. */
    public long died() {
        return Math.min(counts.dead(), past.died());
    }
}

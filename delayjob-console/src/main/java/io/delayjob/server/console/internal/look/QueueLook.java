package io.delayjob.server.console.internal.look;

import io.delayjob.NodeSnapshot;
import io.delayjob.QueueCounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a queue was at one moment.
 *
 * @param name its name
 * @param counts its jobs by state
 * @param overdueMillis for how long the job that has waited longest could have been handed out
 * @param nodes who runs its jobs
 * @param rates what happened within the last minute; null if nobody has looked for long enough
 * @param history how it was during the last hours, the oldest first
 */
public record QueueLook(
        String name,
        QueueCounts counts,
        long overdueMillis,
        List<NodeSnapshot> nodes,
        @Nullable Rates rates,
        List<Sample> history) {

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

    /** The backlog of the last hours as a line. */
    public Chart backlog() {
        return Chart.of(history.stream().mapToDouble(Sample::ready).toArray(), 120, 24);
    }

    /** How many more jobs are dead than an hour ago; 0 if that is not known. */
    public long died() {
        int hour = 60;
        return history.size() < 2
                ? 0
                : Math.max(
                        0,
                        counts.dead()
                                - history.get(Math.max(0, history.size() - hour))
                                        .dead());
    }
}

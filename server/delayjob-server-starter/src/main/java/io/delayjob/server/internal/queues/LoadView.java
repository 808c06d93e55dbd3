package io.delayjob.server.internal.queues;

import io.delayjob.NodeSnapshot;
import io.delayjob.engine.ledger.Tally;
import io.delayjob.server.web.View;
import java.util.List;

/**
 * How much a queue has to do, for whoever starts and stops its workers.
 *
 * @param queue the queue
 * @param jobs jobs that are due or run, those included that a pause or a limit holds back
 * @param workers how many jobs the nodes of the queue can run at once, and how many workers elsewhere run a job or wait for one
 * @param jobsPerWorker the jobs divided by the workers; by one if there are none
 * @param overdueSeconds for how long the job that has waited longest for a worker has been due; 0 if none waits
 */
public record LoadView(String queue, long jobs, long workers, double jobsPerWorker, double overdueSeconds)
        implements View {

    private static final double MILLIS = 1000;

    static LoadView of(String queue, Tally tally, List<NodeSnapshot> nodes) {
        long running = tally.counts().reserved();
        long jobs = tally.counts().ready() + running;
        long workers = workers(nodes, running);
        return new LoadView(queue, jobs, workers, (double) jobs / Math.max(1, workers), tally.overdueMillis() / MILLIS);
    }

    /** Workers elsewhere are known while they wait for a job; the others are those that have the jobs that no node runs itself. */
    private static long workers(List<NodeSnapshot> nodes, long running) {
        long all = nodes.stream().mapToLong(NodeSnapshot::workers).sum();
        if (nodes.stream().noneMatch(NodeSnapshot::claims)) {
            return all;
        }
        long here = nodes.stream()
                .filter(node -> !node.claims())
                .mapToLong(node -> node.workers() - node.free())
                .sum();
        return all + Math.max(0, running - here);
    }
}

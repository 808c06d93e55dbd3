package io.delayjob.server.console.internal.look;

import io.delayjob.NodeSnapshot;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A node and the queues whose jobs it runs.
 *
 * @param name its name
 * @param queues the queues
 */
public record NodeLook(String name, List<Served> queues) {

    /**
     * A queue that it runs jobs of.
     *
     * @param queue the queue
     * @param node the node as it reported itself for that queue
     */
    public record Served(String queue, NodeSnapshot node) {}

    /** The names of its queues. */
    public String names() {
        return queues.stream().map(Served::queue).collect(Collectors.joining(", "));
    }

    /** How many jobs it runs at once. */
    public int workers() {
        return queues.stream().mapToInt(served -> served.node().workers()).sum();
    }

    /** How many more it could run. */
    public int free() {
        return queues.stream().mapToInt(served -> served.node().free()).sum();
    }

    /** Whether it claims jobs for workers elsewhere. */
    public boolean claims() {
        return name.endsWith(NodeSnapshot.CLAIMS);
    }
}

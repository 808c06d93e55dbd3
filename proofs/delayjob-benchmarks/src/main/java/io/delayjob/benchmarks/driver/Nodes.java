package io.delayjob.benchmarks.driver;

import io.delayjob.benchmarks.contender.ContenderName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The processes of contenders. Each rig has new ones, as a measurement needs; or, where numbers mean nothing, those that earlier rigs have left, because
 * a JVM takes longer to start than a few jobs to run. Thread-safe.
 */
public final class Nodes implements AutoCloseable {

    private static final Duration END = Duration.ofMinutes(1);

    private final Path log;
    private final boolean areUsedAgain;
    private final Map<ContenderName, Queue<Node>> left = new EnumMap<>(ContenderName.class);

    private Nodes(Path log, boolean areUsedAgain) {
        this.log = log;
        this.areUsedAgain = areUsedAgain;
    }

    /**
     * New processes for each rig.
     *
     * @param log file that their output is appended to
     */
    public static Nodes fresh(Path log) {
        return new Nodes(log, false);
    }

    /**
     * Processes that rigs use one after the other.
     *
     * @param log file that their output is appended to
     */
    public static Nodes used(Path log) {
        return new Nodes(log, true);
    }

    /** File for the output of contenders. */
    public Path log() {
        return log;
    }

    /**
     * A process in which nothing is open.
     *
     * @param heap the most memory that its JVM takes for objects, such as 128m; null for the usual
     */
    Node take(ContenderName contender, @Nullable String heap) {
        Node idle = heap == null ? poll(contender) : null;
        return idle == null ? Node.start(contender, heap, log) : idle;
    }

    private synchronized @Nullable Node poll(ContenderName contender) {
        Queue<Node> idle = left.get(contender);
        return idle == null ? null : idle.poll();
    }

    /** Ends what is open in a process. */
    void leave(Node node) {
        if (!areUsedAgain || !node.hasUsualHeap()) {
            node.close();
            return;
        }
        try {
            node.call("close", Map.of(), END);
        } catch (RuntimeException e) {
            node.close();
            throw e;
        }
        synchronized (this) {
            left.computeIfAbsent(node.contender(), name -> new ArrayDeque<>()).add(node);
        }
    }

    /** Ends the processes that nobody uses. */
    @Override
    public synchronized void close() {
        left.values().forEach(idle -> idle.forEach(Node::close));
        left.clear();
    }
}

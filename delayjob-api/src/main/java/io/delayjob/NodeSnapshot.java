package io.delayjob;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A node that consumes a queue, as the node last reported itself. Nodes report every second to every five seconds.
 *
 * <p>A node that claims jobs of the queue for workers elsewhere ({@link DelayJobClaims}) is listed as {@code <node>~claims}, beside
 * its own name if it also runs jobs of the queue itself. It stays listed for a minute after the last claim.
 *
 * @param node the node's name
 * @param workers how many jobs of the queue it runs at once; for {@code ~claims}, how many claims wait there
 * @param free how many of its workers are free; for {@code ~claims}, how many of these claims can be given a job now
 * @param jobs the names of the jobs it has handlers for: bean classes, {@link DelayJobName}s and topics; for {@code ~claims} {@link
 *     #ANY_JOB} alone
 */
public record NodeSnapshot(String node, int workers, int free, Set<String> jobs) {

    /** In place of names: any job. */
    public static final String ANY_JOB = "*";

    /** The end of the name of a node that claims for workers elsewhere. */
    public static final String CLAIMS = "~claims";

    /** Copies the set. */
    public NodeSnapshot {
        jobs = Set.copyOf(jobs);
    }

    /** {@return whether this is a node that claims for workers elsewhere} */
    public boolean claims() {
        return node.endsWith(CLAIMS);
    }

    /**
     * Whether the node can take a job.
     *
     * @param job the name of the job; null if its record cannot be read
     * @return true if it has a handler of that name, or claims for workers elsewhere
     */
    public boolean canTake(@Nullable String job) {
        return jobs.contains(ANY_JOB) || (job != null && jobs.contains(job));
    }
}

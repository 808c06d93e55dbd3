package io.delayjob.redisson.internal.ledger;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a node and the ledger say to each other about once a second. */
public final class Feed {

    private Feed() {}

    /**
     * A node reports and asks whether it is the holder.
     *
     * @param node who
     * @param stayMillis how long it stays registered
     * @param holdMillis how long the holder holds
     * @param leaseMillis the lease of the queue's jobs
     * @param horizonMillis how far ahead doorbells are arranged
     * @param quietLimit how many jobs due within the horizon are still quiet
     * @param arrangedMillis up to which due time this node has arranged doorbells; 0 if none
     * @param workers how many jobs this node runs at once
     * @param free how many of its workers are free
     * @param jobs the names of the jobs it can run; null to leave what it said before
     */
    public record Request(
            String node,
            long stayMillis,
            long holdMillis,
            long leaseMillis,
            long horizonMillis,
            int quietLimit,
            long arrangedMillis,
            int workers,
            int free,
            @Nullable Collection<String> jobs) {}

    /**
     * The answer.
     *
     * @param nodes how many nodes are alive, this one included
     * @param holder whether this node is the holder
     * @param watermarkMillis the due time up to which the holder now has doorbells to arrange
     * @param known whether the ledger knows the names of this node's jobs; else the next request is to say them
     * @param mixed whether live nodes can run different jobs, or jobs wait that were left to nodes with their handler: claims are to
     *     say so
     * @param doorbells the doorbells to arrange; empty unless holder
     */
    public record Answer(
            int nodes, boolean holder, long watermarkMillis, boolean known, boolean mixed, List<Ring> doorbells) {}

    /**
     * One doorbell.
     *
     * @param id the job it is for
     * @param delayMillis when it rings, from now
     */
    public record Ring(String id, long delayMillis) {}
}

package io.delayjob.engine.ledger;

import io.delayjob.Limits;
import io.delayjob.NodeSnapshot;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The periodic exchange of a node and the ledger: the holder feeds once a second, the other nodes at least every five seconds. */
public final class Feed {

    private Feed() {}

    /**
     * A node reports and asks whether it is the holder.
     *
     * @param presence the node that reports, and what it can do
     * @param terms the same in each feed of the queue
     * @param arrangedMillis up to which due time this node has arranged doorbells; 0 if none
     * @param pulse the pulse of the last answer; {@link Pulse#NONE} in the first
     * @param registeredMillis until when the last feed that was answered registered this node; 0 in the first
     */
    public record Request(Presence presence, Terms terms, long arrangedMillis, Pulse pulse, long registeredMillis) {

        /** Of a node that has not fed, or need not notice a loss. */
        public Request(Presence presence, Terms terms, long arrangedMillis, Pulse pulse) {
            this(presence, terms, arrangedMillis, pulse, 0);
        }
    }

    /**
     * A node, and what it can do.
     *
     * @param node its name
     * @param stayMillis how long it stays registered; 0 to register nobody, and only remove what is over
     * @param workers how many jobs it runs at once
     * @param free how many of its workers are free
     * @param jobs the names of the jobs it can run, or {@link #ANY_JOB}; null to leave those it sent before
     */
    public record Presence(
            String node,
            long stayMillis,
            int workers,
            int free,
            @Nullable Collection<String> jobs) {

        /** In place of names: the node can take any job. */
        public static final List<String> ANY_JOB = List.of(NodeSnapshot.ANY_JOB);

        /** The name under which a node claims for workers elsewhere. No node has it as its own, because of the tilde. */
        public static String claims(String node) {
            return node + NodeSnapshot.CLAIMS;
        }
    }

    /**
     * Terms that are the same in each feed of a queue's shards.
     *
     * @param holdMillis how long the holder holds
     * @param leaseMillis the lease of the queue's jobs
     * @param horizonMillis how far ahead doorbells are arranged
     * @param quietLimit how many jobs due within the horizon are still quiet
     * @param limits the shard's share of the limits that the queue has by its settings
     * @param zones the version of the node's data of time zones, such as 2025a: where there are schedules, a node with the latest version becomes the
     *     holder; empty if that does not matter
     */
    public record Terms(
            long holdMillis, long leaseMillis, long horizonMillis, int quietLimit, Limits limits, String zones) {

        /** For how long a version of the data of time zones counts after a feed of a node that has it, ms. */
        public static final long ZONES_MILLIS = 15_000;

        /** Terms of a queue without schedules. */
        public Terms(long holdMillis, long leaseMillis, long horizonMillis, int quietLimit, Limits limits) {
            this(holdMillis, leaseMillis, horizonMillis, quietLimit, limits, "");
        }

        /** Terms of a queue without schedules and limits. */
        public Terms(long holdMillis, long leaseMillis, long horizonMillis, int quietLimit) {
            this(holdMillis, leaseMillis, horizonMillis, quietLimit, Limits.NONE);
        }
    }

    /**
     * The answer.
     *
     * @param nodes how many nodes are alive, this one included
     * @param holder whether this node is the holder
     * @param watermarkMillis the due time up to which the holder now has doorbells to arrange
     * @param known whether the ledger knows the names of this node's jobs; else the next request is to have them
     * @param mixed whether live nodes can run different jobs, or jobs wait that were left to nodes with their handler: claims are to
     *     say so
     * @param pulse when that was, and what the shard's data is known by
     * @param next the first job that is due up to the watermark and behind what was arranged; null if there is none, in a busy queue,
     *     and unless holder
     * @param lostMillis by how many milliseconds this node's entry in the registry is older than the one that it made last: the ledger
     *     has lost what was written since then, at least; 0 if it has not
     * @param instantMillis the time until the next instant of a schedule of the shard, in milliseconds; null if none is to fire, and unless
     *     holder
     * @param laterZones the version of another node's data of time zones that is later than this node's, so that this one is not the holder; null if there
     *     is none
     */
    public record Answer(
            int nodes,
            boolean holder,
            long watermarkMillis,
            boolean known,
            boolean mixed,
            Pulse pulse,
            @Nullable Ring next,
            long lostMillis,
            @Nullable Long instantMillis,
            @Nullable String laterZones) {

        /** The answer of a ledger that has lost nothing and has no schedules. */
        public Answer(
                int nodes,
                boolean holder,
                long watermarkMillis,
                boolean known,
                boolean mixed,
                Pulse pulse,
                @Nullable Ring next) {
            this(nodes, holder, watermarkMillis, known, mixed, pulse, next, 0, null, null);
        }
    }

    /**
     * Identifies the data of a shard, so that a node notices when it was replaced.
     *
     * @param bornMillis when the first node fed; another one if it is other data than before: emptied since, or an older copy; 0 in
     *     the answer to a feed that registers nobody
     * @param fedMillis when this node fed
     */
    public record Pulse(long bornMillis, long fedMillis) {

        /** The pulse of a node that has not fed. */
        public static final Pulse NONE = new Pulse(0, 0);
    }

    /**
     * A job for which the doorbell must ring.
     *
     * @param id the job
     * @param delayMillis when, from now
     */
    public record Ring(String id, long delayMillis) {}
}

package io.delayjob.engine.ledger;

import io.delayjob.NodeSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a shard, as the ledger knows them, and what stops its claims.
 *
 * @param nowMillis the ledger's clock, in milliseconds since 1970
 * @param paused whether the queue is paused
 * @param flow how full the flow log is; null if none is kept
 * @param nodes the live nodes, ordered by name
 */
public record FleetView(
        long nowMillis, boolean paused, @Nullable Fill flow, List<NodeSnapshot> nodes) {

    /**
     * How full a flow log is.
     *
     * @param entries how many entries it has
     * @param bound how many it may have; nothing is handed out or stored once it has so many
     */
    public record Fill(long entries, long bound) {

        /** Whether it has as many as it may have. */
        public boolean full() {
            return entries >= bound;
        }
    }

    /** Of a shard without a flow log. */
    public FleetView(long nowMillis, boolean paused, List<NodeSnapshot> nodes) {
        this(nowMillis, paused, null, nodes);
    }
}

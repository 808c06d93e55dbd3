package io.delayjob.engine.ledger;

import io.delayjob.NodeSnapshot;
import java.util.List;

/**
 * The nodes of a shard, as the ledger knows them.
 *
 * @param nowMillis the ledger's clock, in milliseconds since 1970
 * @param paused whether the queue is paused
 * @param nodes the live nodes, ordered by name
 */
public record FleetView(long nowMillis, boolean paused, List<NodeSnapshot> nodes) {}

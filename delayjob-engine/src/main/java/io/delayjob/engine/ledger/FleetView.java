package io.delayjob.engine.ledger;

import io.delayjob.NodeSnapshot;
import java.util.List;

/**
 * What the ledger knows of the nodes of a shard.
 *
 * @param nowMillis its clock
 * @param paused whether the queue is paused
 * @param nodes the live nodes, by name
 */
public record FleetView(long nowMillis, boolean paused, List<NodeSnapshot> nodes) {}

package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.running.Room;
import java.time.Duration;

/**
 * A shard that this node serves: what the parts that serve it share.
 *
 * @param shard the shard
 * @param node this node
 * @param lease the lease of the queue's jobs
 * @param room room for its jobs
 * @param fleet the nodes that serve it, as this node knows them
 * @param wake learns of its due jobs
 */
record ServedShard(Shard shard, String node, Duration lease, Room room, Fleet fleet, Wake wake) {}

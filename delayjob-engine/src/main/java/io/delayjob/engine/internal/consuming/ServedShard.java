package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.running.Slots;
import java.time.Duration;

/**
 * A shard that this node serves: what its taker and its feeder share.
 *
 * @param shard the shard
 * @param node this node
 * @param lease the lease of the queue's jobs
 * @param slots room for its jobs
 * @param fleet what is known of the nodes that serve it
 * @param signal wakes the taker
 */
record ServedShard(Shard shard, String node, Duration lease, Slots slots, Fleet fleet, WakeSignal signal) {}

package io.delayjob.engine.telemetry;

import java.time.Duration;

/**
 * How one queue is doing on this node, by this node's clock.
 *
 * @param workers how many jobs the node runs at once
 * @param free how many more it could run now
 * @param held of how many shards this node is the holder
 * @param sinceFeed the time since the ledger last answered a feed, in the shard where it is longest; normally up to one second per
 *     node of the fleet, at most five
 * @param sinceClaim the time since a taker last got an answer to a claim or found no free worker, in the shard where it is longest;
 *     normally up to 1.5 seconds per node of the fleet, at most five
 * @param replaced how often this node noticed that the data of a shard was replaced: emptied, or restored from an older copy
 */
public record Vitals(int workers, int free, int held, Duration sinceFeed, Duration sinceClaim, int replaced) {}

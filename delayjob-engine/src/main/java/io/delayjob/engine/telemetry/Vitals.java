package io.delayjob.engine.telemetry;

import java.time.Duration;

/**
 * How one queue is doing on this node, by this node's clock.
 *
 * @param workers how many jobs the node runs at once
 * @param free how many more it could run now
 * @param held of how many shards this node arranges the doorbells
 * @param sinceFeed for how long the ledger has not answered a feed, in the shard where that is longest; about a second, times the
 *     nodes of the fleet, where all is well
 * @param sinceClaim for how long a taker has neither had an answer to a claim nor waited for a worker, in the shard where that is
 *     longest; about a second, times the nodes of the fleet, where all is well
 * @param replaced how often this node noticed that the data of a shard was another one: emptied, or an older copy
 */
public record Vitals(int workers, int free, int held, Duration sinceFeed, Duration sinceClaim, int replaced) {}

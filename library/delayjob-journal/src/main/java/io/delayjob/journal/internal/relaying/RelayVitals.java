package io.delayjob.journal.internal.relaying;

import io.delayjob.engine.ledger.ShardId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** How far a node has come with relaying. Thread-safe. */
final class RelayVitals {

    private final Map<ShardId, Oldest> oldest = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> relayed = new ConcurrentHashMap<>();

    /**
     * The job of a shard that waits for the longest to be brought to Redis.
     *
     * @param lagMillis for how long it had waited
     * @param nanos when that was seen, by this node's clock
     */
    private record Oldest(long lagMillis, long nanos) {

        long nowMillis() {
            return lagMillis + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
        }
    }

    /** Only these shards have jobs that wait. */
    void only(Set<ShardId> shards) {
        oldest.keySet().retainAll(shards);
    }

    /** The first job of a shard has waited for so long. */
    void waits(ShardId shard, long lagMillis) {
        oldest.put(shard, new Oldest(lagMillis, System.nanoTime()));
    }

    /** So many jobs were brought to Redis. */
    void relayed(ShardId shard, int jobs) {
        relayed.computeIfAbsent(shard.queue(), queue -> new LongAdder()).add(jobs);
    }

    /** For how long a job of a queue has waited to be brought to Redis; 0 if none waits. Goes on while the database does not answer. */
    long lagMillis(String queue) {
        return oldest.entrySet().stream()
                .filter(shard -> shard.getKey().queue().equals(queue))
                .mapToLong(shard -> Math.max(0, shard.getValue().nowMillis()))
                .max()
                .orElse(0);
    }

    /** How many jobs of a queue this node has brought to Redis. */
    double relayed(String queue) {
        LongAdder sum = relayed.get(queue);
        return sum == null ? 0 : sum.sum();
    }
}

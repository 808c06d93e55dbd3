package io.delayjob.journal.internal.relaying;

import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.DueRow;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The rows that wait to be brought to Redis, and since when this node has seen them. A row is ripe once it was seen for half a
 * second, not once it is so old: a transaction may take long, and the node that has just committed it brings the job to Redis itself. A row that
 * only a relay may bring is ripe at once.
 */
final class Unrelayed {

    private static final long RIPE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Map<ShardId, Map<Long, Long>> seen = new ConcurrentHashMap<>();

    /** Only these shards have any. */
    void only(List<ShardId> shards) {
        seen.keySet().retainAll(Set.copyOf(shards));
    }

    /** A shard has these now. */
    void see(ShardId shard, List<DueRow> rows, long nanos) {
        Map<Long, Long> since = seen.computeIfAbsent(shard, unseen -> new ConcurrentHashMap<>());
        since.keySet().retainAll(rows.stream().map(DueRow::seq).collect(Collectors.toSet()));
        rows.forEach(row -> since.putIfAbsent(row.seq(), row.isOfRelays() ? nanos - RIPE_NANOS : nanos));
    }

    /** The rows of a shard that have waited long enough for a relay. */
    Set<Long> ripe(ShardId shard, long nanos) {
        Set<Long> ripe = new HashSet<>();
        seen.getOrDefault(shard, Map.of()).forEach((row, first) -> {
            if (nanos - first >= RIPE_NANOS) {
                ripe.add(row);
            }
        });
        return ripe;
    }

    /** The shards that have ripe ones. */
    List<ShardId> ripe(long nanos) {
        return seen.keySet().stream()
                .filter(shard -> !ripe(shard, nanos).isEmpty())
                .toList();
    }
}

package io.delayjob.journal.internal.pointing;

import io.delayjob.journal.internal.tables.ShardTable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;

/**
 * The numbers of shards of queues, also of those that this node does not use, and whose settings it so does not know: the database knows all shards of a queue
 * before the first job of it is there. Thread-safe.
 */
public final class ShardCounts implements ToIntFunction<String> {

    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ShardTable shards;
    private final ToIntFunction<String> settings;
    private final Map<String, Count> counts = new ConcurrentHashMap<>();

    /** A number of shards, and when it was read. */
    private record Count(int shards, long nanos) {}

    /**
     * Of a database.
     *
     * @param settings the number of shards of a queue by the settings of this node, which has 1 for queues that it does not use
     */
    public ShardCounts(ShardTable shards, ToIntFunction<String> settings) {
        this.shards = shards;
        this.settings = settings;
    }

    @Override
    public int applyAsInt(String queue) {
        long now = System.nanoTime();
        Count known = counts.get(queue);
        if (known == null || now - known.nanos() > FRESH_NANOS) {
            known = new Count(shards.count(queue), now);
            counts.put(queue, known);
        }
        return Math.max(known.shards(), settings.applyAsInt(queue));
    }
}

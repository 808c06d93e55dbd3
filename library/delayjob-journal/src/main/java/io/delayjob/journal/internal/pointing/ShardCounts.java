package io.delayjob.journal.internal.pointing;

import io.delayjob.journal.internal.tables.ShardTable;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * The numbers of shards of queues: by the settings of this node, or, of a queue that it does not use, by the database, which knows all shards of a queue before the first
 * job of it is there. Thread-safe.
 */
public final class ShardCounts implements ToIntFunction<String> {

    private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ShardTable shards;
    private final Function<String, OptionalInt> settings;
    private final Map<String, Count> counts = new ConcurrentHashMap<>();

    /** A number of shards, and when it was read. */
    private record Count(int shards, long nanos) {}

    /**
     * Of a database.
     *
     * @param settings the number of shards of a queue that this node uses; nothing of another
     */
    public ShardCounts(ShardTable shards, Function<String, OptionalInt> settings) {
        this.shards = shards;
        this.settings = settings;
    }

    @Override
    public int applyAsInt(String queue) {
        return settings.apply(queue).orElseGet(() -> known(queue));
    }

    private int known(String queue) {
        long now = System.nanoTime();
        Count known = counts.get(queue);
        if (known == null || now - known.nanos() > FRESH_NANOS) {
            known = new Count(shards.count(queue), now);
            counts.put(queue, known);
        }
        return known.shards();
    }
}

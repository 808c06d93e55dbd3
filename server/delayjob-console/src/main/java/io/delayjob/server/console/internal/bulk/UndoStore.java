package io.delayjob.server.console.internal.bulk;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.redis.ServerRedis;
import io.delayjob.server.web.ServerJson;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.redisson.api.RList;
import tools.jackson.core.JacksonException;

/** When the jobs of a run were due before it, in Redis, for a week. */
public final class UndoStore {

    /** The most jobs of a run. */
    static final int MOST = 100_000;

    private static final Duration KEPT = Duration.ofDays(7);

    private final ServerRedis redis;
    private final String prefix;

    /** The due times in a Redis. */
    public UndoStore(ServerRedis redis) {
        this.redis = redis;
        prefix = redis.key("console:runs:undo:");
    }

    /**
     * When a job was due.
     *
     * @param queue its queue
     * @param id its id
     * @param dueMillis when it was due, by Redis' clock
     */
    record Due(String queue, String id, long dueMillis) {}

    private RList<String> list(String run) {
        return redis.client().getList(prefix + run, DelayJobRedis.TEXT);
    }

    CompletableFuture<Boolean> add(String run, List<Due> jobs) {
        List<String> texts =
                jobs.stream().map(ServerJson.mapper()::writeValueAsString).toList();
        return redis.ask(() -> list(run).addAllAsync(texts))
                .thenCompose(added -> redis.ask(() -> list(run).expireAsync(KEPT)));
    }

    /** Jobs of a run, in order. */
    CompletableFuture<List<Due>> read(String run, int from, int count) {
        return redis.ask(() -> list(run).rangeAsync(from, from + count - 1))
                .thenApply(texts -> texts.stream()
                        .filter(Objects::nonNull)
                        .flatMap(UndoStore::read)
                        .toList());
    }

    private static Stream<Due> read(String text) {
        try {
            return Stream.of(ServerJson.stored().readValue(text, Due.class));
        } catch (JacksonException e) {
            return Stream.empty();
        }
    }

    CompletableFuture<Integer> size(String run) {
        return redis.ask(() -> list(run).sizeAsync());
    }
}

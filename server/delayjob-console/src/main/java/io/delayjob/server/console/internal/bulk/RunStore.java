package io.delayjob.server.console.internal.bulk;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.redis.ServerRedis;
import io.delayjob.server.web.ServerJson;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RMap;
import tools.jackson.core.JacksonException;

/** The runs, in Redis, so that every server shows them and may pause or end them; the last hundred are kept. */
public final class RunStore {

    private static final int KEPT = 100;

    private final ServerRedis redis;
    private final RMap<String, String> runs;
    private final RMap<String, String> wishes;

    /** The runs in a Redis. */
    public RunStore(ServerRedis redis) {
        this.redis = redis;
        runs = redis.client().getMap(redis.key("console:runs"), DelayJobRedis.TEXT);
        wishes = redis.client().getMap(redis.key("console:runs:wishes"), DelayJobRedis.TEXT);
    }

    /** A user's request to a run. */
    public enum Wish {
        /** It goes on. */
        GO,
        /** It waits. */
        PAUSE,
        /** It ends. */
        ABORT
    }

    CompletableFuture<Void> write(Run run) {
        return redis.ask(() -> runs.fastPutAsync(run.id(), ServerJson.mapper().writeValueAsString(run)))
                .thenAccept(added -> {});
    }

    CompletableFuture<Optional<Run>> find(String id) {
        return redis.ask(() -> runs.getAsync(id))
                .thenApply(text -> read(text).map(Run::seen).findFirst());
    }

    /** All, the latest first. */
    CompletableFuture<List<Run>> all() {
        return redis.ask(() -> runs.readAllMapAsync())
                .thenApply(all -> all.values().stream()
                        .flatMap(RunStore::read)
                        .map(Run::seen)
                        .sorted(Comparator.comparing(Run::begunAt).reversed())
                        .toList());
    }

    /** Forgets a run that has not begun. */
    CompletableFuture<Long> forget(String id) {
        return redis.ask(() -> runs.fastRemoveAsync(id));
    }

    /** Forgets those that ended long ago. */
    CompletableFuture<Void> tidy() {
        return all().thenCompose(all -> {
            String[] old =
                    all.stream().filter(Run::isOver).skip(KEPT).map(Run::id).toArray(String[]::new);
            return old.length == 0
                    ? CompletableFuture.<Void>completedFuture(null)
                    : redis.ask(() -> runs.fastRemoveAsync(old))
                            .thenCombine(redis.ask(() -> wishes.fastRemoveAsync(old)), (some, others) -> null);
        });
    }

    CompletableFuture<Void> wish(String id, Wish wish) {
        return redis.ask(() -> wishes.fastPutAsync(id, wish.name())).thenAccept(added -> {});
    }

    CompletableFuture<Wish> wish(String id) {
        return redis.ask(() -> wishes.getAsync(id)).thenApply(RunStore::wished);
    }

    private static Wish wished(@Nullable String name) {
        return Stream.of(Wish.values())
                .filter(wish -> wish.name().equals(name))
                .findFirst()
                .orElse(Wish.GO);
    }

    private static Stream<Run> read(@Nullable String text) {
        try {
            return text == null ? Stream.empty() : Stream.of(ServerJson.stored().readValue(text, Run.class));
        } catch (JacksonException e) {
            return Stream.empty();
        }
    }
}

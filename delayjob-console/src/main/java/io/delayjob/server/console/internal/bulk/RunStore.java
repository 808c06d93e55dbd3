package io.delayjob.server.console.internal.bulk;

import io.delayjob.server.internal.web.RedisAnswers;
import io.delayjob.server.internal.web.ServerJson;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RMap;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import tools.jackson.core.JacksonException;

/** The runs, in Redis, so that every server shows them and may pause or end them; the last hundred are kept. */
public final class RunStore {

    private static final int KEPT = 100;

    private final RMap<String, String> runs;
    private final RMap<String, String> wishes;

    /** The runs in a Redis. */
    public RunStore(RedissonClient redisson, String keyPrefix) {
        runs = redisson.getMap(keyPrefix + ":server:console:runs", StringCodec.INSTANCE);
        wishes = redisson.getMap(keyPrefix + ":server:console:runs:wishes", StringCodec.INSTANCE);
    }

    /** What somebody wants of a run. */
    public enum Wish {
        /** It goes on. */
        GO,
        /** It waits. */
        PAUSE,
        /** It ends. */
        ABORT
    }

    CompletableFuture<Void> write(Run run) {
        return RedisAnswers.of(runs.fastPutAsync(run.id(), ServerJson.mapper().writeValueAsString(run)))
                .thenAccept(added -> {});
    }

    CompletableFuture<Optional<Run>> find(String id) {
        return RedisAnswers.of(runs.getAsync(id))
                .thenApply(text -> read(text).map(Run::seen).findFirst());
    }

    /** All, the latest first. */
    CompletableFuture<List<Run>> all() {
        return RedisAnswers.of(runs.readAllMapAsync())
                .thenApply(all -> all.values().stream()
                        .flatMap(RunStore::read)
                        .map(Run::seen)
                        .sorted(Comparator.comparing(Run::begunAt).reversed())
                        .toList());
    }

    /** Forgets those that ended long ago. */
    CompletableFuture<Void> tidy() {
        return all().thenCompose(all -> {
            String[] old =
                    all.stream().filter(Run::isOver).skip(KEPT).map(Run::id).toArray(String[]::new);
            return old.length == 0
                    ? CompletableFuture.<Void>completedFuture(null)
                    : RedisAnswers.of(runs.fastRemoveAsync(old))
                            .thenCombine(RedisAnswers.of(wishes.fastRemoveAsync(old)), (some, others) -> null);
        });
    }

    CompletableFuture<Void> wish(String id, Wish wish) {
        return RedisAnswers.of(wishes.fastPutAsync(id, wish.name())).thenAccept(added -> {});
    }

    CompletableFuture<Wish> wish(String id) {
        return RedisAnswers.of(wishes.getAsync(id)).thenApply(RunStore::wished);
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

package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.ScheduleNames;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The names of schedules in Redis. */
final class RedisScheduleNames implements ScheduleNames {

    private final Scripts scripts;
    private final KeyNames keys;

    RedisScheduleNames(Scripts scripts, String prefix) {
        this.scripts = scripts;
        this.keys = script -> List.of(Keys.scheduled(prefix));
    }

    @Override
    public CompletableFuture<String> put(String name, String queue, @Nullable String instead) {
        return scripts.string("enlist_schedule", keys, List.of(name, queue, instead == null ? "" : instead));
    }

    @Override
    public CompletableFuture<Boolean> remove(String name, String queue) {
        return scripts.string("enlist_schedule", keys, List.of(name, "", queue)).thenApply(String::isEmpty);
    }

    @Override
    public CompletableFuture<Optional<String>> queueOf(String name) {
        return read(name).thenApply(queues -> Optional.ofNullable(queues.get(name)));
    }

    @Override
    public CompletableFuture<SortedMap<String, String>> all() {
        return read("");
    }

    private CompletableFuture<SortedMap<String, String>> read(String name) {
        return scripts.list("scheduled", keys, List.of(name), Answers::pairs);
    }
}

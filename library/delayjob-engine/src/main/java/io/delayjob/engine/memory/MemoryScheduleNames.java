package io.delayjob.engine.memory;

import io.delayjob.engine.ledger.ScheduleNames;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The names of schedules in memory. */
final class MemoryScheduleNames implements ScheduleNames {

    private final Map<String, String> queues = new ConcurrentHashMap<>();

    @Override
    public CompletableFuture<String> put(String name, String queue, @Nullable String instead) {
        return CompletableFuture.completedFuture(
                queues.merge(name, queue, (known, wanted) -> known.equals(instead) ? wanted : known));
    }

    @Override
    public CompletableFuture<Boolean> remove(String name, String queue) {
        return CompletableFuture.completedFuture(queues.remove(name, queue) || !queues.containsKey(name));
    }

    @Override
    public CompletableFuture<Optional<String>> queueOf(String name) {
        return CompletableFuture.completedFuture(Optional.ofNullable(queues.get(name)));
    }

    @Override
    public CompletableFuture<SortedMap<String, String>> all() {
        return CompletableFuture.completedFuture(new TreeMap<>(queues));
    }
}

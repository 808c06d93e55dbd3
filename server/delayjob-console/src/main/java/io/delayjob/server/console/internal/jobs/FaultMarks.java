package io.delayjob.server.console.internal.jobs;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.redis.ServerRedis;
import io.delayjob.server.web.ServerJson;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RMap;
import tools.jackson.core.JacksonException;

/** The decisions of people about groups of errors, in Redis. A thousand are kept; beyond them, the person who has made most loses the oldest. */
public final class FaultMarks {

    static final int KEPT = 1000;

    private final ServerRedis redis;
    private final RMap<String, String> marks;

    /** The marks in a Redis. */
    public FaultMarks(ServerRedis redis) {
        this.redis = redis;
        marks = redis.client().getMap(redis.key("console:faults"), DelayJobRedis.TEXT);
    }

    /** The kinds of decision about a group of errors. */
    public enum Decision {
        /** The cause is gone; a new failure says otherwise. */
        RESOLVED,
        /** Nobody needs to look. */
        IGNORED
    }

    /**
     * A decision.
     *
     * @param decision its kind
     * @param who the caller who made it
     * @param at when it was made, by the clock of the server
     * @param died when the latest of the dead jobs seen then had died, by Redis' clock; null if there was none
     * @param due the latest due time of a job seen then that was to be retried; null if there was none
     */
    public record Mark(
            Decision decision,
            String who,
            Instant at,
            @Nullable Instant died,
            @Nullable Instant due) {

        /** Whether something has failed since, which only matters for what was resolved. */
        boolean isOutdated(@Nullable Instant nowDied, @Nullable Instant nowDue) {
            return decision == Decision.RESOLVED && (isAfter(nowDied, died) || isAfter(nowDue, due));
        }

        private static boolean isAfter(@Nullable Instant now, @Nullable Instant then) {
            return now != null && (then == null || now.isAfter(then));
        }
    }

    /** All marks, by the name of the group. */
    CompletableFuture<Map<String, Mark>> all() {
        return redis.ask(() -> marks.readAllMapAsync()).thenApply(all -> {
            Map<String, Mark> read = new HashMap<>();
            all.forEach((group, text) -> read(text).ifPresent(mark -> read.put(group, mark)));
            return read;
        });
    }

    private static Optional<Mark> read(String text) {
        try {
            return Optional.of(ServerJson.stored().readValue(text, Mark.class));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** Marks a group, and forgets old marks if there are too many. The mark that it had. */
    CompletableFuture<Optional<Mark>> put(String group, Mark mark) {
        return redis.ask(() -> marks.putAsync(group, ServerJson.mapper().writeValueAsString(mark)))
                .thenCompose(
                        old -> tidy().thenApply(done -> Optional.ofNullable(old).flatMap(FaultMarks::read)));
    }

    /** Takes the mark of a group away. The mark that it had. */
    CompletableFuture<Optional<Mark>> remove(String group) {
        return redis.ask(() -> marks.removeAsync(group))
                .thenApply(old -> Optional.ofNullable(old).flatMap(FaultMarks::read));
    }

    private CompletableFuture<Void> tidy() {
        return redis.ask(() -> marks.sizeAsync())
                .thenCompose(size -> size <= KEPT
                        ? CompletableFuture.<Void>completedFuture(null)
                        : all().thenCompose(all -> forget(all, size - KEPT)));
    }

    private CompletableFuture<Void> forget(Map<String, Mark> all, int count) {
        Map<String, Deque<String>> byCaller = all.entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getValue().at()))
                .collect(Collectors.groupingBy(
                        entry -> entry.getValue().who(),
                        Collectors.mapping(Map.Entry::getKey, Collectors.toCollection(ArrayDeque::new))));
        String[] oldest = Stream.generate(() -> byCaller.values().stream()
                        .max(Comparator.comparingInt(Deque::size))
                        .map(Deque::poll))
                .limit(count)
                .flatMap(Optional::stream)
                .toArray(String[]::new);
        return oldest.length == 0
                ? CompletableFuture.completedFuture(null)
                : redis.ask(() -> marks.fastRemoveAsync(oldest)).thenAccept(removed -> {});
    }
}

package io.delayjob.server.console.internal.audit;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.internal.access.Access;
import io.delayjob.server.internal.web.ServerJson;
import io.delayjob.server.internal.web.ServerRedis;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RStream;
import org.redisson.api.stream.StreamAddArgs;
import org.redisson.api.stream.StreamMessageId;
import org.redisson.api.stream.StreamRangeArgs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.ErrorResponse;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;

/** Who did what, in a stream of Redis that keeps the last entries; what cannot be written there is logged. */
public final class Audit {

    private static final Logger log = LoggerFactory.getLogger(Audit.class);
    private static final String FIELD = "entry";
    private static final int LONGEST = 500;

    private final ServerRedis redis;
    private final RStream<String, String> stream;
    private final int kept;

    /**
     * The entries in a Redis.
     *
     * @param kept how many are kept, more or less
     */
    public Audit(ServerRedis redis, int kept) {
        this.redis = redis;
        this.stream = redis.client().getStream(redis.key("console:audit"), DelayJobRedis.TEXT);
        this.kept = kept;
    }

    /**
     * Does something in the console, and writes down how that ended, before it is answered.
     *
     * @param detail what to say of what it came to; null for nothing
     */
    public <T> Mono<T> noting(
            Access access,
            String action,
            String queue,
            String target,
            Mono<T> work,
            Function<T, @Nullable String> detail) {
        return changing(access, action, queue, target, work, result -> Change.saying(detail.apply(result)));
    }

    /**
     * The same for what has a before and an after.
     *
     * @param change what changed
     */
    public <T> Mono<T> changing(
            Access access, String action, String queue, String target, Mono<T> work, Function<T, Change> change) {
        return work.flatMap(result -> write(access, "console", action, queue, target, "done", change.apply(result))
                        .thenReturn(result))
                .onErrorResume(failure -> write(access, "console", action, queue, target, reason(failure), Change.NONE)
                        .then(Mono.error(failure)));
    }

    /** As who asked for it is told. */
    private static String reason(Throwable failure) {
        String detail =
                failure instanceof ErrorResponse refused ? refused.getBody().getDetail() : null;
        return detail == null ? String.valueOf(failure.getMessage()) : detail;
    }

    /** Writes an entry down; never fails. */
    public Mono<Void> write(
            Access access, String via, String action, String queue, String target, String outcome, Change change) {
        Entry entry = new Entry(
                Instant.now(),
                access.shown(),
                via,
                action,
                queue,
                cut(target),
                cut(outcome),
                change.detail(),
                cutOrNull(change.before()),
                cutOrNull(change.after()));
        String text = ServerJson.mapper().writeValueAsString(entry);
        return Mono.fromFuture(() -> redis.ask(() -> stream.addAsync(StreamAddArgs.entry(FIELD, text)
                        .trimNonStrict()
                        .maxLen(kept)
                        .noLimit())))
                .onErrorResume(failure -> {
                    log.warn("not written to the audit: {} ({})", text, failure.getMessage());
                    return Mono.empty();
                })
                .then();
    }

    private static @Nullable String cutOrNull(@Nullable String text) {
        return text == null ? null : cut(text);
    }

    private static String cut(String text) {
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    }

    /**
     * Entries, the latest first.
     *
     * @param before those before this place; null for the latest
     */
    CompletableFuture<List<Placed>> read(int most, @Nullable StreamMessageId before) {
        StreamMessageId end = before == null ? StreamMessageId.MAX : before;
        return redis.ask(() -> stream.rangeReversedAsync(
                        StreamRangeArgs.startId(end).endId(StreamMessageId.MIN).count(most)))
                .thenApply(entries -> entries.entrySet().stream()
                        .filter(entry -> !entry.getKey().equals(before))
                        .flatMap(Audit::placed)
                        .toList());
    }

    /**
     * An entry and its place.
     *
     * @param place the place
     * @param entry the entry
     */
    public record Placed(String place, Entry entry) {}

    private static Stream<Placed> placed(Map.Entry<StreamMessageId, Map<String, String>> stored) {
        try {
            String text = Objects.requireNonNullElse(stored.getValue().get(FIELD), "");
            return Stream.of(
                    new Placed(stored.getKey().toString(), ServerJson.stored().readValue(text, Entry.class)));
        } catch (JacksonException e) {
            return Stream.empty();
        }
    }
}

package io.delayjob.server.console.internal.audit;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.Access;
import io.delayjob.server.limits.Rate;
import io.delayjob.server.redis.ServerRedis;
import io.delayjob.server.web.ServerJson;
import io.delayjob.server.web.ToItsEnd;
import io.delayjob.support.Digests;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RQueue;
import org.redisson.api.RStream;
import org.redisson.api.stream.StreamAddArgs;
import org.redisson.api.stream.StreamMessageId;
import org.redisson.api.stream.StreamRangeArgs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.ErrorResponse;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;

/**
 * The audit, which says who did what, in Redis; what cannot be written there is logged. Changes have a stream that keeps the last of them. What changed nothing, which is exports
 * and refused requests, has another one, so that it pushes no change out; of refused requests, only some of each caller are written down. A caller
 * who has a tenth of a stream pushes out its own entries, and no others.
 */
public final class Audit {

    private static final Logger log = LoggerFactory.getLogger(Audit.class);
    private static final String FIELD = "entry";

    /** A caller may have one of so many parts of a stream. */
    private static final int SHARES = 10;

    /** How long it is known which entries are whose. */
    private static final Duration OWNED = Duration.ofDays(30);

    /** Refused requests of a caller that are written down in a minute. */
    static final int REFUSALS_A_MINUTE = 60;

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration SILENT = Duration.ofHours(1);
    private static final int MOST_CALLERS = 50_000;
    private static final Pattern REFUSED = Pattern.compile("4\\d\\d");

    private final ServerRedis redis;
    private final RStream<String, String> changes;
    private final RStream<String, String> others;
    private final int kept;
    private final int keptOfCaller;
    private final Cache<String, Rate> refusalsOfCallers = Caffeine.newBuilder()
            .expireAfterAccess(SILENT)
            .maximumSize(MOST_CALLERS)
            .build();

    /**
     * The entries in a Redis.
     *
     * @param kept how many are kept, more or less, of changes and of what changed nothing, each
     */
    public Audit(ServerRedis redis, int kept) {
        this.redis = redis;
        this.changes = redis.client().getStream(redis.key("console:audit"), DelayJobRedis.TEXT);
        this.others = redis.client().getStream(redis.key("console:audit:unchanged"), DelayJobRedis.TEXT);
        this.kept = kept;
        this.keptOfCaller = kept / SHARES;
    }

    /**
     * Does something in the console, and writes down how that ended, before it is answered. Both go on if the caller hangs up.
     *
     * @param detail gives the text about the result for the entry; null for none
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
     * The same for an action with a state before and after it.
     *
     * @param change gives the change from the result
     */
    public <T> Mono<T> changing(
            Access access, String action, String queue, String target, Mono<T> work, Function<T, Change> change) {
        return ToItsEnd.of(work.flatMap(
                        result -> write(access, "console", action, queue, target, "done", change.apply(result))
                                .thenReturn(result))
                .onErrorResume(failure -> {
                    Entry entry = Entry.of(access, "console", action, queue, target, reason(failure), Change.NONE);
                    return (isRefusal(failure) ? refused(access, entry) : add(changes, access, entry))
                            .then(Mono.error(failure));
                }));
    }

    /** Nothing was changed. Of other failures nobody knows. */
    private static boolean isRefusal(Throwable failure) {
        return failure instanceof IllegalArgumentException
                || (failure instanceof ErrorResponse refused
                        && refused.getStatusCode().is4xxClientError());
    }

    /** The message shown to the caller. */
    private static String reason(Throwable failure) {
        String detail =
                failure instanceof ErrorResponse refused ? refused.getBody().getDetail() : null;
        return detail == null ? String.valueOf(failure.getMessage()) : detail;
    }

    /**
     * Writes an entry down, to its end; never fails.
     *
     * @param outcome {@code done}, the status of an answer, or why it was not done
     */
    public Mono<Void> write(
            Access access, String via, String action, String queue, String target, String outcome, Change change) {
        Entry entry = Entry.of(access, via, action, queue, target, outcome, change);
        return REFUSED.matcher(outcome).matches() ? refused(access, entry) : add(changes, access, entry);
    }

    /** Writes down what was done in the console and changed nothing; never fails. */
    public Mono<Void> looked(Access access, String action, String queue, String target, String detail) {
        return add(others, access, Entry.of(access, "console", action, queue, target, "done", Change.saying(detail)));
    }

    private Mono<Void> refused(Access access, Entry entry) {
        return rate(access).use() > 0 ? Mono.empty() : add(others, access, entry);
    }

    private Mono<Void> add(RStream<String, String> stream, Access access, Entry entry) {
        String text = ServerJson.mapper().writeValueAsString(entry);
        return Mono.fromFuture(
                        () -> redis.ask(() -> stream.addAsync(StreamAddArgs.entry(FIELD, text)
                                        .trimNonStrict()
                                        .maxLen(kept)
                                        .noLimit()))
                                .thenCompose(place -> push(stream, place, access)),
                        true)
                .onErrorResume(failure -> {
                    log.warn("not written to the audit: {} ({})", text, failure.getMessage());
                    return Mono.empty();
                })
                .then();
    }

    /** Removes the oldest entry of a caller who has more than its share. */
    private CompletableFuture<?> push(RStream<String, String> stream, StreamMessageId place, Access access) {
        RQueue<String> its = redis.client()
                .getQueue(stream.getName() + ":of:" + Digests.sha256(access.caller()), DelayJobRedis.TEXT);
        return redis.ask(() -> its.addAsync(place.toString()))
                .thenCompose(added -> redis.ask(() -> its.expireAsync(OWNED)))
                .thenCompose(owned -> redis.ask(() -> its.sizeAsync()))
                .thenCompose(size -> size <= keptOfCaller
                        ? CompletableFuture.<@Nullable String>completedFuture(null)
                        : redis.ask(() -> its.pollAsync()))
                .thenCompose(oldest -> oldest == null
                        ? CompletableFuture.completedFuture(0L)
                        : redis.ask(() -> stream.removeAsync(place(oldest))));
    }

    private Rate rate(Access access) {
        return refusalsOfCallers.get(
                access.caller(),
                name -> new Rate(REFUSALS_A_MINUTE, MINUTE, REFUSALS_A_MINUTE, TimeMeter.SYSTEM_NANOTIME));
    }

    /**
     * Entries, the latest first.
     *
     * @param unchanged whether to read the entries of actions that changed nothing; else those of changes
     * @param before the place before which to read; null for the latest entries
     */
    CompletableFuture<List<Placed>> read(boolean unchanged, int most, @Nullable StreamMessageId before) {
        StreamMessageId end = before == null ? StreamMessageId.MAX : before;
        RStream<String, String> stream = unchanged ? others : changes;
        return redis.ask(() -> stream.rangeReversedAsync(
                        StreamRangeArgs.startId(end).endId(StreamMessageId.MIN).count(most)))
                .thenApply(entries -> entries.entrySet().stream()
                        .filter(entry -> !entry.getKey().equals(before))
                        .flatMap(Audit::placed)
                        .toList());
    }

    /** The place of a text that is one. */
    static StreamMessageId place(String text) {
        String[] parts = text.split("-", -1);
        return new StreamMessageId(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
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

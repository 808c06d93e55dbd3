package io.delayjob.server.console.internal.look;

import io.delayjob.server.internal.web.ServerJson;
import io.delayjob.server.internal.web.ServerRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.redisson.api.RStream;
import org.redisson.api.stream.StreamAddArgs;
import org.redisson.api.stream.StreamMessageId;
import org.redisson.api.stream.StreamRangeArgs;
import org.redisson.client.codec.StringCodec;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;

/** How the queues were, minute by minute, in Redis: one of the servers writes each minute, and all read it. */
final class History {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    /** The last four hours. */
    private static final int SHOWN = 240;

    private static final String FIELD = "queues";
    private static final TypeReference<Map<String, Sample>> SAMPLES = new TypeReference<>() {};

    private final ServerRedis redis;
    private final String prefix;

    History(ServerRedis redis) {
        this.redis = redis;
        this.prefix = redis.key("console:history");
    }

    private RStream<String, String> stream() {
        return redis.client().getStream(prefix, StringCodec.INSTANCE);
    }

    /** Whether this server is to write this minute: true for one of all servers. */
    CompletableFuture<Boolean> isMine(long minute) {
        return redis.ask(() -> redis.client()
                .<String>getBucket(prefix + ":" + minute, StringCodec.INSTANCE)
                .setIfAbsentAsync("", MINUTE.multipliedBy(2)));
    }

    CompletableFuture<Void> write(List<QueueLook> queues) {
        Map<String, Sample> samples = new HashMap<>();
        queues.forEach(queue -> samples.put(
                queue.name(),
                new Sample(
                        queue.counts().ready(),
                        queue.counts().delayed(),
                        queue.counts().dead(),
                        queue.overdueMillis())));
        return redis.ask(() -> stream()
                        .addAsync(StreamAddArgs.entry(FIELD, ServerJson.mapper().writeValueAsString(samples))
                                .trimNonStrict()
                                .maxLen(SHOWN)
                                .noLimit()))
                .thenAccept(added -> {});
    }

    /** What was written, by queue, the oldest first. */
    CompletableFuture<Map<String, List<Sample>>> read() {
        return redis.ask(() -> stream()
                        .rangeReversedAsync(StreamRangeArgs.startId(StreamMessageId.MAX)
                                .endId(StreamMessageId.MIN)
                                .count(SHOWN)))
                .thenApply(History::byQueue);
    }

    private static Map<String, List<Sample>> byQueue(Map<StreamMessageId, Map<String, String>> entries) {
        List<Map<String, String>> minutes = new ArrayList<>(entries.values());
        Collections.reverse(minutes);
        Map<String, List<Sample>> all = new HashMap<>();
        minutes.forEach(minute -> samples(minute.getOrDefault(FIELD, "{}"))
                .forEach((queue, sample) ->
                        all.computeIfAbsent(queue, name -> new ArrayList<>()).add(sample)));
        return all;
    }

    private static Map<String, Sample> samples(String text) {
        try {
            return ServerJson.stored().readValue(text, SAMPLES);
        } catch (JacksonException e) {
            return Map.of();
        }
    }
}

package io.delayjob.redisson.migration;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.redisson.api.BatchOptions;
import org.redisson.api.BatchOptions.ExecutionMode;
import org.redisson.api.RBatch;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.ScoredEntry;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Moves the messages of a queue with listeners to delayjob; a message is removed when delayjob has confirmed its job. */
class OldMessagesDrain {

    private static final int PAGE = 100;

    private final RedissonClient redisson;
    private final DelayJobProducer producer;
    private final JsonMapper json = new JsonMapper();

    OldMessagesDrain(RedissonClient redisson, DelayJobProducer producer) {
        this.redisson = redisson;
        this.producer = producer;
    }

    /** Moves all messages. Returns how many there were. */
    int drain(String messages, String delayed) {
        return drainDelayed(messages, delayed) + drainUnacknowledged(messages, delayed);
    }

    private int drainDelayed(String messages, String delayed) {
        int moved = 0;
        while (true) {
            Collection<ScoredEntry<String>> page = redisson.<String>getScoredSortedSet(delayed, StringCodec.INSTANCE)
                    .entryRange(0, PAGE - 1);
            if (page.isEmpty()) {
                return moved;
            }
            for (ScoredEntry<String> entry : page) {
                String message = redisson.<String, String>getMap(messages, StringCodec.INSTANCE)
                        .get(entry.getValue());
                move(
                        messages,
                        delayed,
                        entry.getValue(),
                        message,
                        entry.getScore().longValue());
                moved++;
            }
        }
    }

    /** Those that were fetched, and whose listener has not acknowledged them. */
    private int drainUnacknowledged(String messages, String delayed) {
        Set<Map.Entry<String, String>> left =
                redisson.<String, String>getMap(messages, StringCodec.INSTANCE).readAllEntrySet();
        left.forEach(entry -> move(messages, delayed, entry.getKey(), entry.getValue(), 0));
        return left.size();
    }

    private void move(String messages, String delayed, String id, @Nullable String message, long dueMillis) {
        if (message != null) {
            producer.submit(request(message).withId("old-" + id), Instant.ofEpochMilli(dueMillis));
        }
        RBatch both = redisson.createBatch(BatchOptions.defaults().executionMode(ExecutionMode.REDIS_WRITE_ATOMIC));
        both.getScoredSortedSet(delayed, StringCodec.INSTANCE).removeAsync(id);
        both.getMap(messages, StringCodec.INSTANCE).fastRemoveAsync(id);
        both.execute();
    }

    /** Change this to what your messages look like. */
    private DelayJobRequest<JsonNode> request(String message) {
        JsonNode stored = json.readTree(message);
        return DelayJobRequest.toTopic(stored.path("topic").asString(), stored.path("body"));
    }
}

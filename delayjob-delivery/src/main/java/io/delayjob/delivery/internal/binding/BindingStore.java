package io.delayjob.delivery.internal.binding;

import io.delayjob.DelayJobException;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RAtomicLong;
import org.redisson.api.RMap;
import org.redisson.api.RedissonClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** What was bound at run time, in one hash of Redis, and a number that grows with each change. Thread-safe. */
public final class BindingStore {

    private static final Logger log = LoggerFactory.getLogger(BindingStore.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final RMap<String, String> bindings;
    private final RAtomicLong version;

    /**
     * The bindings of a Redis.
     *
     * @param keyPrefix the prefix of delayjob's keys
     */
    public BindingStore(RedissonClient redisson, String keyPrefix) {
        this.bindings = redisson.getMap(keyPrefix + ":{targets}", DelayJobRedis.TEXT);
        this.version = redisson.getAtomicLong(keyPrefix + ":{targets}:version");
    }

    /** Grows with each change. */
    long version() {
        return ask(version::get);
    }

    /** What is stored of each topic. An entry that cannot be read is left out. */
    Map<String, StoredBinding> all() {
        Map<String, StoredBinding> all = new HashMap<>();
        ask(bindings::readAllMap).forEach((topic, text) -> {
            try {
                all.put(topic, JSON.readValue(text, StoredBinding.class));
            } catch (RuntimeException e) {
                log.error("what Redis has of the binding of topic '{}' cannot be read; bind it again", topic, e);
            }
        });
        return all;
    }

    /** Stores what is known of a topic; null to forget it. */
    void put(String topic, @Nullable StoredBinding stored) {
        ask(() -> {
            if (stored == null || stored.isNothing()) {
                bindings.fastRemove(topic);
            } else {
                bindings.fastPut(topic, JSON.writeValueAsString(stored));
            }
            return version.incrementAndGet();
        });
    }

    private static <T> T ask(Supplier<T> call) {
        try {
            return call.get();
        } catch (org.redisson.client.RedisException e) {
            throw new DelayJobException("Redis did not answer about bindings of topics: " + e.getMessage(), e);
        }
    }
}

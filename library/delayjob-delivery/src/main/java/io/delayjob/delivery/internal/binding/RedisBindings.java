package io.delayjob.delivery.internal.binding;

import io.delayjob.DelayJobException;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.redisson.api.RAtomicLong;
import org.redisson.api.RMap;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** Keeps the bindings in one Redis hash, with a version number beside it. */
public final class RedisBindings implements BindingStore {

    private static final Logger log = LoggerFactory.getLogger(RedisBindings.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** A decision by all bindings, such as whether somebody may change one, holds when it is stored. */
    private static final String PUT = """
            if (redis.call('GET', KEYS[2]) or '0') ~= ARGV[1] then
              return 0
            end
            for i = 2, #ARGV, 2 do
              if ARGV[i + 1] == '' then
                redis.call('HDEL', KEYS[1], ARGV[i])
              else
                redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
              end
            end
            redis.call('INCR', KEYS[2])
            return 1
            """;

    private final RMap<String, String> bindings;
    private final RAtomicLong version;
    private final RScript scripts;

    /**
     * The bindings of a Redis.
     *
     * @param keyPrefix the prefix of delayjob's keys
     */
    public RedisBindings(RedissonClient redisson, String keyPrefix) {
        this.bindings = redisson.getMap(keyPrefix + ":{targets}", DelayJobRedis.TEXT);
        this.scripts = redisson.getScript(DelayJobRedis.TEXT);
        this.version = redisson.getAtomicLong(keyPrefix + ":{targets}:version");
    }

    @Override
    public long version() {
        return ask(version::get);
    }

    @Override
    public Map<String, StoredBinding> all() {
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

    @Override
    public boolean put(long read, Map<String, StoredBinding> changed) {
        List<String> arguments = new ArrayList<>(List.of(String.valueOf(read)));
        changed.forEach((topic, binding) -> {
            arguments.add(topic);
            arguments.add(binding.isNothing() ? "" : JSON.writeValueAsString(binding));
        });
        long stored = ask(() -> scripts.eval(
                RScript.Mode.READ_WRITE,
                PUT,
                RScript.ReturnType.LONG,
                List.of(bindings.getName(), version.getName()),
                arguments.toArray()));
        return stored == 1;
    }

    private static <T> T ask(Supplier<T> call) {
        try {
            return call.get();
        } catch (org.redisson.client.RedisException e) {
            throw new DelayJobException("Redis did not answer about bindings of topics: " + e.getMessage(), e);
        }
    }
}

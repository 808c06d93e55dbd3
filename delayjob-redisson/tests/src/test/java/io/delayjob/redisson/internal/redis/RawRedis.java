package io.delayjob.redisson.internal.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.ByteArrayCodec;

/** Writes into Redis whatever a test wants, as anybody can who may connect to it. */
public final class RawRedis {

    private static final String CALL = "redis.call(unpack(ARGV)) return 1";

    private static final String PUT =
            "redis.call('HSET', ARGV[1], ARGV[3], ARGV[4]) redis.call('ZADD', ARGV[2], 1, ARGV[3]) return 1";

    private final RScript script;

    public RawRedis(RedissonClient redisson) {
        this.script = redisson.getScript(ByteArrayCodec.INSTANCE);
    }

    /** Sends a command of strings, numbers and byte arrays; the reply is dropped. */
    public void call(Object... words) {
        run(CALL, words);
    }

    /** Puts a job into two keys at once: a record that stands in no state is one that a feed buries. */
    public void put(String jobs, String waiting, Object id, Object record) {
        run(PUT, jobs, waiting, id, record);
    }

    private void run(String text, Object... words) {
        Object[] bytes = Stream.of(words).map(RawRedis::bytes).toArray();
        script.eval(RScript.Mode.READ_WRITE, text, RScript.ReturnType.LONG, List.of(), bytes);
    }

    private static byte[] bytes(Object word) {
        return word instanceof byte[] raw ? raw : word.toString().getBytes(StandardCharsets.UTF_8);
    }
}

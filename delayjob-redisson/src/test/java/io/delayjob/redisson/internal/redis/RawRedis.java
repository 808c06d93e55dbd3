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

    private final RScript script;

    public RawRedis(RedissonClient redisson) {
        this.script = redisson.getScript(ByteArrayCodec.INSTANCE);
    }

    /** Sends a command of strings, numbers and byte arrays; the reply is dropped. */
    public void call(Object... words) {
        Object[] bytes = Stream.of(words).map(RawRedis::bytes).toArray();
        script.eval(RScript.Mode.READ_WRITE, CALL, RScript.ReturnType.LONG, List.of(), bytes);
    }

    private static byte[] bytes(Object word) {
        return word instanceof byte[] raw ? raw : word.toString().getBytes(StandardCharsets.UTF_8);
    }
}

package io.delayjob.redisson.migration;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RScript;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import tools.jackson.databind.json.JsonMapper;

/** A queue with listeners: messages in a hash, their ids in a zset by their time. */
final class OldListenerQueue {

    static final String MESSAGES = "task_meta_data:shop";
    static final String DELAYED = "delay_queue:shop";

    private static final String SEND =
            "redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])" + " redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1]) return 1";

    private final RedissonClient redisson;
    private final JsonMapper json = new JsonMapper();

    /** A message as it is stored. */
    record Message(String topic, Object body) {}

    OldListenerQueue(RedissonClient redisson) {
        this.redisson = redisson;
    }

    void sendMessage(String topic, Object message, long delay, TimeUnit unit) {
        redisson.getScript(StringCodec.INSTANCE)
                .eval(
                        RScript.Mode.READ_WRITE,
                        SEND,
                        RScript.ReturnType.LONG,
                        List.of(MESSAGES, DELAYED),
                        UUID.randomUUID().toString(),
                        json.writeValueAsString(new Message(topic, message)),
                        Long.toString(System.currentTimeMillis() + unit.toMillis(delay)));
    }

    /** Fetches a message, as its worker does, and dies before it is acknowledged. */
    void fetchAndDie() {
        redisson.getScoredSortedSet(DELAYED, StringCodec.INSTANCE).pollFirst();
    }
}

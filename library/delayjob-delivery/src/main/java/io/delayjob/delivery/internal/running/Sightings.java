package io.delayjob.delivery.internal.running;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletionStage;
import org.redisson.api.RBatch;
import org.redisson.api.RedissonClient;

/** Notes in Redis, for a while, that some node can deliver to the target of a topic, so that no other one gives up its jobs. */
public final class Sightings {

    private final RedissonClient redisson;
    private final String keyPrefix;
    private final Duration kept;

    /**
     * The notes in a Redis.
     *
     * @param keyPrefix the prefix of delayjob's keys
     * @param kept how long each is kept, by Redis' clock
     */
    public Sightings(RedissonClient redisson, String keyPrefix, Duration kept) {
        this.redisson = redisson;
        this.keyPrefix = keyPrefix + ":{targets}:reachable:";
        this.kept = kept;
    }

    /** How often a note has to be made again so that it lasts, with time to spare. */
    Duration period() {
        return kept.dividedBy(4);
    }

    /** Notes topics to which this node can deliver. */
    void note(Collection<String> topics) {
        RBatch batch = redisson.createBatch();
        topics.forEach(
                topic -> batch.getBucket(keyPrefix + topic, DelayJobRedis.TEXT).setAsync("", kept.plus(period())));
        var unused = batch.execute();
    }

    /** Whether some node could deliver to a topic a moment ago. */
    CompletionStage<Boolean> has(String topic) {
        return redisson.getBucket(keyPrefix + topic, DelayJobRedis.TEXT).isExistsAsync();
    }
}

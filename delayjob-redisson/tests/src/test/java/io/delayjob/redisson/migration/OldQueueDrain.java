package io.delayjob.redisson.migration;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.redisson.api.BatchOptions;
import org.redisson.api.BatchOptions.ExecutionMode;
import org.redisson.api.RBatch;
import org.redisson.api.RList;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.codec.Codec;
import org.redisson.client.handler.State;
import org.redisson.client.protocol.ScoredEntry;

/**
 * Moves what waits in a bare RDelayedQueue, and in the blocking queue behind it, to delayjob. An element is removed when delayjob has
 * confirmed its job, so that none is lost whatever breaks off; run it again then. It asks for no RDelayedQueue object: that would
 * start its timer.
 */
class OldQueueDrain {

    private static final int PAGE = 100;

    private final RedissonClient redisson;
    private final DelayJobProducer producer;
    private final Codec codec;

    /** With the codec that the old queue was used with. */
    OldQueueDrain(RedissonClient redisson, DelayJobProducer producer, Codec codec) {
        this.redisson = redisson;
        this.producer = producer;
        this.codec = codec;
    }

    /** Moves all elements of a queue to a topic. Returns how many there were. */
    int drain(String queue, String topic) {
        String key = queue.contains("{") ? queue : "{" + queue + "}";
        return drainDelayed("redisson_delay_queue_timeout:" + key, "redisson_delay_queue:" + key, topic)
                + drainDue(queue, topic);
    }

    /** Those that are not due. Each has a random id of its own, so that a repeated submit adds nothing. */
    private int drainDelayed(String timeouts, String elements, String topic) {
        int moved = 0;
        while (true) {
            Collection<ScoredEntry<byte[]>> page = redisson.<byte[]>getScoredSortedSet(
                            timeouts, ByteArrayCodec.INSTANCE)
                    .entryRange(0, PAGE - 1);
            if (page.isEmpty()) {
                return moved;
            }
            for (ScoredEntry<byte[]> entry : page) {
                OldElement element = OldElement.of(entry.getValue());
                producer.submit(
                        request(topic, decoded(element.payload())).withId("old-" + element.id()),
                        Instant.ofEpochMilli(entry.getScore().longValue()));
                RBatch both =
                        redisson.createBatch(BatchOptions.defaults().executionMode(ExecutionMode.REDIS_WRITE_ATOMIC));
                both.getScoredSortedSet(timeouts, ByteArrayCodec.INSTANCE).removeAsync(entry.getValue());
                both.getList(elements, ByteArrayCodec.INSTANCE).removeAsync(entry.getValue());
                both.execute();
                moved++;
            }
        }
    }

    /** Those that are due and were not taken. */
    private int drainDue(String queue, String topic) {
        RList<byte[]> due = redisson.getList(queue, ByteArrayCodec.INSTANCE);
        int moved = 0;
        while (true) {
            List<byte[]> page = due.range(0, PAGE - 1);
            if (page.isEmpty()) {
                return moved;
            }
            for (byte[] payload : page) {
                producer.submit(request(topic, decoded(Unpooled.wrappedBuffer(payload))), Duration.ZERO);
                due.remove(payload, 1);
                moved++;
            }
        }
    }

    /** The job of an element. */
    DelayJobRequest<?> request(String topic, Object element) {
        return DelayJobRequest.toTopic(topic, element);
    }

    private Object decoded(ByteBuf payload) {
        try {
            return codec.getValueDecoder().decode(payload, new State());
        } catch (IOException e) {
            throw new IllegalStateException("an element of the old queue cannot be read by " + codec, e);
        }
    }

    /** An element as RDelayedQueue packs it: a random id, then length and bytes of the payload. */
    record OldElement(String id, ByteBuf payload) {

        private static final int OLD_ID = 8;

        static OldElement of(byte[] packed) {
            ByteBuf bytes = Unpooled.wrappedBuffer(packed);
            int idLength = isOld(bytes) ? OLD_ID : bytes.readUnsignedByte();
            String id = ByteBufUtil.hexDump(bytes.readSlice(idLength));
            return new OldElement(id, bytes.readSlice(Math.toIntExact(bytes.readLongLE())));
        }

        /** Older releases of Redisson wrote an id of 8 bytes; newer ones write how long it is first. */
        private static boolean isOld(ByteBuf bytes) {
            int head = OLD_ID + Long.BYTES;
            return bytes.readableBytes() >= head && bytes.getLongLE(OLD_ID) == bytes.readableBytes() - head;
        }
    }
}

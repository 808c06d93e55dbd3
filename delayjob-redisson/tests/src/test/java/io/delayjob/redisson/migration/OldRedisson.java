package io.delayjob.redisson.migration;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jboss.marshalling.Marshaller;
import org.jboss.marshalling.MarshallerFactory;
import org.jboss.marshalling.Marshalling;
import org.jboss.marshalling.MarshallingConfiguration;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.ByteArrayCodec;

/** An RDelayedQueue as Redisson 3.15 kept it: by the codec of then, and each element packed with an id of eight bytes. */
final class OldRedisson {

    private final MarshallerFactory river = Marshalling.getProvidedMarshallerFactory("river");
    private final RedissonClient redisson;
    private final String queue;

    OldRedisson(RedissonClient redisson, String queue) {
        this.redisson = redisson;
        this.queue = queue;
    }

    void offer(Object element, long delay, TimeUnit unit) {
        byte[] packed = packed(written(element));
        redisson.<byte[]>getScoredSortedSet("redisson_delay_queue_timeout:{" + queue + "}", ByteArrayCodec.INSTANCE)
                .add((double) (System.currentTimeMillis() + unit.toMillis(delay)), packed);
        redisson.<byte[]>getList("redisson_delay_queue:{" + queue + "}", ByteArrayCodec.INSTANCE)
                .add(packed);
    }

    /** Leaves an element where it waits to be taken. */
    void becomesDue(Object element) {
        redisson.<byte[]>getList(queue, ByteArrayCodec.INSTANCE).add(written(element));
    }

    private static byte[] packed(byte[] payload) {
        return ByteBuffer.allocate(2 * Long.BYTES + payload.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putDouble((double) ThreadLocalRandom.current().nextLong())
                .putLong(payload.length)
                .put(payload)
                .array();
    }

    private byte[] written(Object element) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (Marshaller marshaller = river.createMarshaller(new MarshallingConfiguration())) {
            marshaller.start(Marshalling.createByteOutput(bytes));
            marshaller.writeObject(element);
            marshaller.finish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}

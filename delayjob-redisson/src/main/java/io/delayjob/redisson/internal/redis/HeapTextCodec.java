package io.delayjob.redisson.internal.redis;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.Encoder;

/**
 * Texts in UTF-8, written to arrays on the heap. Redisson does not release the arguments of every command that dies with its connection, which
 * leaks them if they are of Netty's pool, as those of {@link StringCodec} are.
 */
public final class HeapTextCodec extends StringCodec {

    /** The codec, which has no state. */
    public static final HeapTextCodec INSTANCE = new HeapTextCodec();

    private HeapTextCodec() {
        super(StandardCharsets.UTF_8);
    }

    @Override
    public Encoder getValueEncoder() {
        return HeapTextCodec::encode;
    }

    private static ByteBuf encode(Object value) {
        return Unpooled.wrappedBuffer(value.toString().getBytes(StandardCharsets.UTF_8));
    }
}

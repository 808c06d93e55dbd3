package io.delayjob.redisson.internal.redis;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.redisson.client.codec.BaseCodec;
import org.redisson.client.protocol.Decoder;
import org.redisson.client.protocol.Encoder;

/**
 * The arguments of a script as one value: a MessagePack array of strings, which include/args.lua unpacks in one step. Redisson
 * processes each argument separately, which for thousands of arguments would cost more than the rest of the call.
 *
 * @param values the arguments, each sent as its text
 */
record PackedArgs(List<?> values) {

    /** Writes arguments packed; reads answers as text. */
    static final BaseCodec CODEC = new BaseCodec() {
        @Override
        public Encoder getValueEncoder() {
            return value -> value instanceof PackedArgs args
                    ? args.pack()
                    : HeapTextCodec.INSTANCE.getValueEncoder().encode(value);
        }

        @Override
        public Decoder<Object> getValueDecoder() {
            return HeapTextCodec.INSTANCE.getValueDecoder();
        }
    };

    private static final int ARRAY_32 = 0xdd;
    private static final int STRING_32 = 0xdb;

    /** The byte that says what follows, and its length. */
    private static final int HEADER = Byte.BYTES + Integer.BYTES;

    /** To an array on the heap, as {@link HeapTextCodec} writes texts. */
    private ByteBuf pack() {
        String[] texts = values.stream().map(Object::toString).toArray(String[]::new);
        int[] lengths = Stream.of(texts).mapToInt(ByteBufUtil::utf8Bytes).toArray();
        int all = HEADER * (1 + texts.length) + IntStream.of(lengths).sum();
        ByteBuf packed = Unpooled.wrappedBuffer(new byte[all]).clear();
        packed.writeByte(ARRAY_32).writeInt(texts.length);
        for (int i = 0; i < texts.length; i++) {
            packed.writeByte(STRING_32).writeInt(lengths[i]);
            ByteBufUtil.reserveAndWriteUtf8(packed, texts[i], lengths[i]);
        }
        return packed;
    }
}

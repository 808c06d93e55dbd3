package io.delayjob.redisson.internal.redis;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import java.util.List;
import org.redisson.client.codec.BaseCodec;
import org.redisson.client.codec.StringCodec;
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
                    : StringCodec.INSTANCE.getValueEncoder().encode(value);
        }

        @Override
        public Decoder<Object> getValueDecoder() {
            return StringCodec.INSTANCE.getValueDecoder();
        }
    };

    private static final int ARRAY_32 = 0xdd;
    private static final int STRING_32 = 0xdb;
    private static final int USUAL_LENGTH = 64;

    private ByteBuf pack() {
        ByteBuf packed = ByteBufAllocator.DEFAULT.buffer(USUAL_LENGTH * (1 + values.size()));
        packed.writeByte(ARRAY_32).writeInt(values.size());
        for (Object value : values) {
            write(packed, value.toString());
        }
        return packed;
    }

    private static void write(ByteBuf packed, String text) {
        int length = packed.writeByte(STRING_32).writerIndex();
        packed.writeInt(0);
        packed.setInt(length, ByteBufUtil.writeUtf8(packed, text));
    }
}

package io.delayjob.redisson.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.redisson.client.codec.Codec;
import org.redisson.client.handler.State;
import org.redisson.client.protocol.Encoder;

class HeapTextCodecTest {

    private static final Codec CODEC = HeapTextCodec.INSTANCE;

    @Test
    void readsWhatItWrites() throws IOException {
        ByteBuf written = CODEC.getValueEncoder().encode("größe € \uD83D\uDE00");

        assertThat(written.toString(UTF_8)).isEqualTo("größe € \uD83D\uDE00");
        assertThat(CODEC.getValueDecoder().decode(written, new State())).isEqualTo("größe € \uD83D\uDE00");
    }

    /** Redisson does not release all of them. */
    @Test
    void takesNothingThatHasToBeReleased() throws IOException {
        for (Encoder encoder :
                new Encoder[] {CODEC.getValueEncoder(), CODEC.getMapKeyEncoder(), CODEC.getMapValueEncoder()}) {
            ByteBuf written = encoder.encode("order-1");
            assertThat(written.alloc()).isSameAs(Unpooled.EMPTY_BUFFER.alloc());
            assertThat(written.hasArray()).isTrue();
        }
    }
}

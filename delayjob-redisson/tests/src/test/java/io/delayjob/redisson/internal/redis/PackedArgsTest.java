package io.delayjob.redisson.internal.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PackedArgsTest {

    private static ByteBuf pack(Object... values) throws IOException {
        return PackedArgs.CODEC.getValueEncoder().encode(new PackedArgs(List.of(values)));
    }

    private static List<String> unpack(ByteBuf packed) {
        assertThat(packed.readUnsignedByte()).as("an array").isEqualTo((short) 0xdd);
        int count = packed.readInt();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            assertThat(packed.readUnsignedByte()).as("a string").isEqualTo((short) 0xdb);
            texts.add(packed.readString(packed.readInt(), UTF_8));
        }
        assertThat(packed.isReadable()).isFalse();
        return texts;
    }

    @Test
    void areTheTextsOfTheValues() throws IOException {
        assertThat(unpack(pack("", 42L, "order-1", "größe €", "\uD83D\uDE00", "x".repeat(100_000))))
                .containsExactly("", "42", "order-1", "größe €", "\uD83D\uDE00", "x".repeat(100_000));
        assertThat(unpack(pack())).isEmpty();
    }

    @Test
    void halfACharacterIsAQuestionMark() throws IOException {
        assertThat(unpack(pack("a\uD83D", "\uDE00b"))).containsExactly("a?", "?b");
    }

    /** Redisson does not release all of them. */
    @Test
    void takeNothingThatHasToBeReleased() throws IOException {
        ByteBuf packed = pack("order-1");
        assertThat(packed.alloc()).isSameAs(Unpooled.EMPTY_BUFFER.alloc());
        assertThat(packed.hasArray()).isTrue();
        assertThat(packed.isDirect()).isFalse();
    }
}

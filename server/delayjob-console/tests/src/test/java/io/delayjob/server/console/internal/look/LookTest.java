package io.delayjob.server.console.internal.look;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LookTest {

    private final Look look = new Look(Instant.now(), List.of(), 0, List.of(), null);

    @Test
    void isNoAnswerWhereRedisCouldNotBeRead() {
        assertThat(look.orThrow()).isEqualTo(look);
        assertThatThrownBy(() -> look.failed("no answer").orThrow())
                .hasMessageContaining("503")
                .hasMessageContaining("Redis did not answer: no answer");
    }
}

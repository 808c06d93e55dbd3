package io.delayjob.delivery.internal.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.delivery.internal.broker.DelayedMessage.Header;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class DelayedSendsTest {

    private final DelayedSends sends = new DelayedSends("delay", () -> {
        throw new AssertionError("nothing is submitted");
    });

    @Test
    void readsMillisecondsAndDurations() {
        Duration second = Duration.ofSeconds(1);
        assertThat(sends.delay(1000L)).isEqualTo(second);
        assertThat(sends.delay(" 1000 ")).isEqualTo(second);
        assertThat(sends.delay("PT1S")).isEqualTo(second);
        assertThat(sends.delay("1000".getBytes(StandardCharsets.UTF_8))).isEqualTo(second);
        assertThat(sends.delay(null)).isNull();
        assertThat(sends.delay(0)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "1.5", "-1", "PT-1S", "P", "99999999999999999999"})
    void refusesWhatIsNoDelay(String value) {
        assertThatThrownBy(() -> sends.delay(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("header 'delay' must be milliseconds")
                .hasMessageContaining("the message was not sent");
    }

    @Test
    void keepsHeadersOfEveryTypeInJson() {
        JsonMapper json = JsonMapper.builder().build();
        List<Object> values = List.of("text", true, (byte) 1, (short) 2, 3, 4L, 1.5f, 2.5d);
        DelayedMessage message = new DelayedMessage(
                "jms",
                Map.of("topic", "orders"),
                values.stream().map(value -> Header.of("name", value)).toList(),
                "AP8=");
        DelayedMessage read = json.readValue(json.writeValueAsString(message), DelayedMessage.class);
        assertThat(read.headers().stream().map(Header::typed)).isEqualTo(values);
        assertThat(read.bytes()).containsExactly(0, -1);
        assertThat(DelayedMessage.encoded(new byte[] {0, -1})).isEqualTo("AP8=");
        assertThat((byte[]) Header.of("name", new byte[] {5}).typed()).containsExactly(5);
        assertThat(Header.of("name", null).typed()).isNull();
    }

    @Test
    void refusesAHeaderOfAnotherType() {
        assertThatThrownBy(() -> Header.of("since", Instant.EPOCH))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("header 'since' is of type java.time.Instant");
    }
}

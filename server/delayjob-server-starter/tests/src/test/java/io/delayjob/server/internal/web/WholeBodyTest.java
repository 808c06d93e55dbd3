package io.delayjob.server.internal.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.server.web.Body;
import io.delayjob.server.web.ServerJson;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.core.ResolvableType;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import reactor.core.publisher.Flux;

/** A large body keeps no thread that reads from connections, which here is the test's. */
class WholeBodyTest {

    /** A body that notes where it was parsed. */
    record Noted(String text, String thread) implements Body {

        Noted {
            thread = Thread.currentThread().getName();
        }
    }

    private static Noted parsed(int length) {
        ServerCodecConfigurer codecs = ServerCodecConfigurer.create();
        ServerCodecs.register(codecs, 10_000_000);
        ResolvableType type = ResolvableType.forClass(Noted.class);
        byte[] json = "{\"text\": \"%s\"}".formatted("x".repeat(length)).getBytes(StandardCharsets.UTF_8);
        MockServerHttpRequest request = MockServerHttpRequest.post("/")
                .contentType(MediaType.APPLICATION_JSON)
                .body(Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(json)));
        return (Noted) Objects.requireNonNull(codecs.getReaders().stream()
                .filter(reader -> reader.canRead(type, MediaType.APPLICATION_JSON))
                .findFirst()
                .orElseThrow()
                .readMono(type, request, Map.of())
                .cast(Object.class)
                .block());
    }

    @Test
    void aLargeBodyIsParsedOnAThreadOfItsOwn() {
        assertThat(parsed(100_000).thread()).startsWith("delayjob-large-bodies");
    }

    @Test
    void aBodyOfTooManyObjectsIsRefusedBeforeItTakesAllMemory() {
        String objects = "[" + "{},".repeat(600_000) + "{}]";
        assertThatThrownBy(() -> ServerJson.mapper().readTree(objects)).hasMessageContaining("1000000");
    }

    @Test
    void aSmallBodyIsParsedWhereItCame() {
        assertThat(parsed(1000).thread()).isEqualTo(Thread.currentThread().getName());
    }
}

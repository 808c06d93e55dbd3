package io.delayjob.server.console.internal.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AssetsTest {

    private final Assets assets = new Assets();

    @Test
    void areLight() {
        int bytes = Stream.of("htmx.js", "console.js", "live.js", "console.css")
                .mapToInt(name -> Objects.requireNonNull(assets.find(name)).bytes(true).length)
                .sum();

        assertThat(bytes).isBetween(10_000, 40_000);
    }

    @Test
    void loadNothingFromElsewhere() {
        Stream.of("console.js", "live.js", "console.css")
                .forEach(name -> assertThat(new String(
                                Objects.requireNonNull(assets.find(name)).bytes(false), StandardCharsets.UTF_8))
                        .doesNotContain("http://", "https://", "@import", "url("));
    }
}

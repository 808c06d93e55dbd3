package io.delayjob.server.console.internal.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.server.web.ServerJson;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedactionTest {

    private final Redaction redaction = new Redaction(List.of(".*password.*", "pin"));

    @Test
    void hidesValuesByNameAtAnyDepthAndKeepsDigits() {
        assertThat(redaction
                        .shown(
                                "{\"n\":1.10,\"big\":123456789012345678901,\"a\":[{\"dbPassword\":{\"x\":1}}],\"PIN\":7,\"pink\":1}")
                        .replaceAll("\\s", ""))
                .isEqualTo(
                        "{\"n\":1.10,\"big\":123456789012345678901,\"a\":[{\"dbPassword\":\"•••\"}],\"PIN\":\"•••\",\"pink\":1}");
        assertThat(redaction.shown(Map.of("Pin", "1", "x", "2"))).isEqualTo(Map.of("Pin", "•••", "x", "2"));
        assertThat(redaction.shown("no JSON")).isEqualTo("no JSON");
    }

    @Test
    void putsBackWhatIsStillHidden() {
        var original = ServerJson.stored().readTree("{\"pin\":7,\"a\":[{\"password\":\"p\"}],\"b\":1}");
        var edited = ServerJson.stored().readTree("{\"pin\":\"•••\",\"a\":[{\"password\":\"•••\"}],\"b\":2}");

        assertThat(redaction.restored(edited, original).toString())
                .isEqualTo("{\"pin\":7,\"a\":[{\"password\":\"p\"}],\"b\":2}");
    }
}

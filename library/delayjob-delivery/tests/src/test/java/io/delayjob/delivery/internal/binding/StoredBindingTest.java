package io.delayjob.delivery.internal.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.delivery.Binding;
import io.delayjob.delivery.Maker;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What Redis has of a binding, when nodes of several releases change it. */
class StoredBindingTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Test
    void keepsFieldsOfANewerReleaseWhenItIsPausedResumedAndClosed() {
        StoredBinding read = JSON.readValue(
                "{\"target\":\"fake:t\",\"queue\":\"q\",\"everyInstance\":false,\"paused\":false,\"region\":\"eu\",\"headers\":{\"a\":[1]}}",
                StoredBinding.class);

        StoredBinding changed = read.paused(true).closed("gone").paused(false);

        JsonNode written = JSON.valueToTree(changed);
        assertThat(written.path("region").asString()).isEqualTo("eu");
        assertThat(written.path("headers").toString()).isEqualTo("{\"a\":[1]}");
        assertThat(written.has("others")).isFalse();
        assertThat(changed.binding("t")).isEqualTo(Binding.of("t", "q", "fake:t"));
    }

    @Test
    void isReadAsItWasWritten() {
        StoredBinding written = StoredBinding.of(Binding.of("t", "fake:t").withPerSecond(3), Maker.APPLICATION);

        assertThat(JSON.readValue(JSON.writeValueAsString(written), StoredBinding.class))
                .isEqualTo(written);
    }
}

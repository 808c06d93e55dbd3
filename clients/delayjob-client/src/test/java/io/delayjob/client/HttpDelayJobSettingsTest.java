package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDelayJobSettingsTest {

    @Test
    void neverShowsTheToken() {
        assertThat(HttpDelayJobSettings.of("https://jobs.example.com", "djt_secret")
                        .withQueue("mail"))
                .hasToString("HttpDelayJobSettings[url=https://jobs.example.com, queue=mail, timeout=PT10S]");
        assertThatThrownBy(() -> HttpDelayJobSettings.of("https://jobs.example.com", "djt_secret\r\nHost: evil"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("token must be")
                .hasMessageNotContaining("secret");
    }

    @Test
    void keepsThePathOfAProxy() {
        assertThat(HttpDelayJobSettings.of("http://proxy/jobs//", "t").uri("/claims"))
                .hasToString("http://proxy/jobs/api/v1/claims");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "jobs.example.com",
                "ftp://jobs.example.com",
                "http:///x",
                "http://ann:pass@jobs.example.com",
                "http://jobs.example.com?a=b",
                "http://ann:pass@[x",
            })
    void refusesWhatIsNoAddress(String url) {
        assertThatThrownBy(() -> HttpDelayJobSettings.of(url, "t"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("url must be")
                .hasMessageNotContaining("pass")
                .hasNoCause();
    }

    @Test
    void refusesOtherValuesByName() {
        HttpDelayJobSettings settings = HttpDelayJobSettings.of("http://localhost", "t");
        assertThatThrownBy(() -> settings.withTimeout(Duration.ZERO)).hasMessageContaining("timeout must be");
        assertThatThrownBy(() -> settings.withQueue("a b")).hasMessageContaining("queue must be");
    }
}

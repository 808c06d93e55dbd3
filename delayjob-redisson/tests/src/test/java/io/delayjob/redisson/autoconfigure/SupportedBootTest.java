package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.spring.InvalidConfigurationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SupportedBootTest {

    @ParameterizedTest
    @ValueSource(strings = {"4.1.0", "4.2.3", "4.10.0-M1", "5.0.0", "unknown"})
    void runsOnNewerVersions(String version) {
        assertThatCode(() -> SupportedBoot.check(version)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.7.18", "3.5.16", "4.0.7"})
    void refusesOlderOnesAndNamesTheClientForThem(String version) {
        assertThatThrownBy(() -> SupportedBoot.check(version))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContainingAll(version, "4.1", "delayjob-client");
    }
}

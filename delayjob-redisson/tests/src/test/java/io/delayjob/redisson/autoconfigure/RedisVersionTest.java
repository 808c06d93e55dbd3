package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisVersionTest {

    @ParameterizedTest
    @CsvSource({
        "2.8.24, true",
        "5.0.14, true",
        "6.0.16, true",
        "6.1.240, true",
        "6.2.0, false",
        "6.2, false",
        "7.0.15, false",
        "8.4.0, false",
        "10.0.0, false",
        "255.255.255, false",
        "unstable, false"
    })
    void isTooOldBeforeTheFirstReleaseThatHasAllCommands(String version, boolean tooOld) {
        assertThat(RedisVersion.isTooOld(version)).isEqualTo(tooOld);
    }
}

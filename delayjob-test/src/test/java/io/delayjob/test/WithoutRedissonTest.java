package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.mock.env.MockEnvironment;

class WithoutRedissonTest {

    private static final @Nullable String[] CLASSES = {
        "org.redisson.spring.starter.RedissonAutoConfigurationV2",
        "org.redisson.spring.starter.RedissonAutoConfigurationV4",
        "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
        null
    };

    private static boolean[] match(MockEnvironment environment) {
        WithoutRedisson filter = new WithoutRedisson();
        filter.setEnvironment(environment);
        return filter.match(CLASSES, mock(AutoConfigurationMetadata.class));
    }

    @Test
    void leavesRedissonOutOfATest() {
        assertThat(match(new MockEnvironment().withProperty(TestSettings.TEST, "true")))
                .containsExactly(false, false, true, true);
    }

    @Test
    void leavesOtherContextsAlone() {
        assertThat(match(new MockEnvironment())).containsExactly(true, true, true, true);
    }
}

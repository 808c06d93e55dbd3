package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.mock.env.MockEnvironment;

class LeftOutTest {

    private static final @Nullable String[] CLASSES = {
        "org.redisson.spring.starter.RedissonAutoConfigurationV2",
        "org.redisson.spring.starter.RedissonAutoConfigurationV4",
        "io.delayjob.journal.autoconfigure.DelayJobJournalAutoConfiguration",
        "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration",
        null
    };

    private static boolean[] match(MockEnvironment environment) {
        LeftOut filter = new LeftOut();
        filter.setEnvironment(environment);
        return filter.match(CLASSES, mock(AutoConfigurationMetadata.class));
    }

    @Test
    void leavesRedissonAndTheJournalOutOfATest() {
        assertThat(match(new MockEnvironment().withProperty(TestSettings.TEST, "true")))
                .containsExactly(false, false, false, true, true);
    }

    @Test
    void leavesOtherContextsAlone() {
        assertThat(match(new MockEnvironment())).containsExactly(true, true, true, true, true);
    }
}

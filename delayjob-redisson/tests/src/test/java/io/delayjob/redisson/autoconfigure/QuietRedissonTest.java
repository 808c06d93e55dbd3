package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mockito.ArgumentMatchers;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerConfiguration;
import org.springframework.boot.logging.LoggingSystem;

class QuietRedissonTest {

    private static final String LOGGER = "org.redisson.Redisson";

    private final LoggingSystem logging = mock(LoggingSystem.class);
    private final List<String> happened = new ArrayList<>();

    QuietRedissonTest() {
        doAnswer(call -> happened.add(call.getArgument(0) + "=" + call.getArgument(1)))
                .when(logging)
                .setLogLevel(anyString(), ArgumentMatchers.<LogLevel>any());
    }

    @Test
    void silencesOneLoggerForOneStep() {
        new QuietRedisson(logging).accept(() -> happened.add("step"));
        assertThat(happened).containsExactly(LOGGER + "=OFF", "step", LOGGER + "=null");
    }

    @Test
    void restoresTheLevelThatWasConfigured() {
        when(logging.getLoggerConfiguration(LOGGER))
                .thenReturn(new LoggerConfiguration(LOGGER, LogLevel.WARN, LogLevel.WARN));
        new QuietRedisson(logging).accept(() -> happened.add("step"));
        assertThat(happened).containsExactly(LOGGER + "=OFF", "step", LOGGER + "=WARN");
    }

    @Test
    void restoresTheLevelAfterAStepThatFails() {
        assertThatIllegalStateException()
                .isThrownBy(() -> new QuietRedisson(logging).accept(() -> {
                    throw new IllegalStateException("failed");
                }));
        assertThat(happened).containsExactly(LOGGER + "=OFF", LOGGER + "=null");
    }

    @Test
    @Timeout(120)
    void aStepThatWaitsForRedisHoldsUpNoOtherAndKeepsTheLoggerSilent() throws InterruptedException {
        QuietRedisson quiet = new QuietRedisson(logging);
        CountDownLatch waits = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        Thread first = new Thread(() -> quiet.accept(() -> {
            waits.countDown();
            awaitOrStop(answered);
        }));
        first.start();
        waits.await();
        quiet.accept(() -> happened.add("second"));
        assertThat(happened).containsExactly(LOGGER + "=OFF", "second");
        answered.countDown();
        first.join();
        assertThat(happened).containsExactly(LOGGER + "=OFF", "second", LOGGER + "=null");
    }

    private static void awaitOrStop(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void runsTheStepWhereBootManagesNoLogging() {
        new QuietRedisson(null).accept(() -> happened.add("step"));
        assertThat(happened).containsExactly("step");
    }
}

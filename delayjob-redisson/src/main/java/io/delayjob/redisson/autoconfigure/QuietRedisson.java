package io.delayjob.redisson.autoconfigure;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerConfiguration;
import org.springframework.boot.logging.LoggingSystem;

/**
 * Keeps Redisson's message that its delayed queue is deprecated out of the application's log, where it would stand at ERROR: the
 * queue is used as a doorbell only, and no promise rests on it. One logger is silent for one step.
 */
final class QuietRedisson implements Consumer<Runnable> {

    private static final String LOGGER = "org.redisson.Redisson";

    private final @Nullable LoggingSystem logging;

    QuietRedisson(@Nullable LoggingSystem logging) {
        this.logging = logging;
    }

    @Override
    public void accept(Runnable step) {
        if (logging == null) {
            step.run();
            return;
        }
        synchronized (QuietRedisson.class) {
            LoggerConfiguration before = logging.getLoggerConfiguration(LOGGER);
            logging.setLogLevel(LOGGER, LogLevel.OFF);
            try {
                step.run();
            } finally {
                logging.setLogLevel(LOGGER, before == null ? null : before.getConfiguredLevel());
            }
        }
    }
}

package io.delayjob.redisson.autoconfigure;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerConfiguration;
import org.springframework.boot.logging.LoggingSystem;

/**
 * Silences one Redisson logger for one step, to keep its ERROR about the deprecated delayed queue out of the application's log. The
 * queue serves only as a doorbell, on which nothing depends.
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

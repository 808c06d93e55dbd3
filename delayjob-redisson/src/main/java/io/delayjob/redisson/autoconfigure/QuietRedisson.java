package io.delayjob.redisson.autoconfigure;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerConfiguration;
import org.springframework.boot.logging.LoggingSystem;

/**
 * Silences one Redisson logger during a step, to keep its ERROR about the deprecated delayed queue out of the application's log. The
 * queue serves only as a doorbell, on which nothing depends. Steps may take long, because they wait for Redis, so several may be
 * under way: the logger is silent until the last of them has ended.
 */
final class QuietRedisson implements Consumer<Runnable> {

    private static final String LOGGER = "org.redisson.Redisson";

    /** Steps that are under way in this JVM, whose logging all its nodes share. */
    private static int underWay;

    private static @Nullable LogLevel configured;

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
        silence(logging);
        try {
            step.run();
        } finally {
            restore(logging);
        }
    }

    private static synchronized void silence(LoggingSystem logging) {
        if (underWay++ == 0) {
            LoggerConfiguration before = logging.getLoggerConfiguration(LOGGER);
            configured = before == null ? null : before.getConfiguredLevel();
            logging.setLogLevel(LOGGER, LogLevel.OFF);
        }
    }

    private static synchronized void restore(LoggingSystem logging) {
        if (--underWay == 0) {
            logging.setLogLevel(LOGGER, configured);
        }
    }
}

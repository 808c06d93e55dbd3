package io.delayjob.spring.autoconfigure;

import io.delayjob.spring.InvalidConfigurationException;
import io.delayjob.support.Checks;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What counts as healthy.
 *
 * @param timeout How long the health indicator waits for Redis before the node is DOWN. 1 ms to 1 min.
 * @param maxOverdue How long a job may wait for a worker before the node is DOWN. 0: no limit.
 * @param whilePaused Status of a node while one of its queues is paused.
 */
@ConfigurationProperties("delayjob.health")
public record DelayJobHealthProperties(
        @DefaultValue("1s") Duration timeout,
        @DefaultValue("5m") Duration maxOverdue,
        @DefaultValue("up") WhilePaused whilePaused) {

    /**
     * Lets them be, or not.
     *
     * @throws InvalidConfigurationException if one is out of its range, naming it
     */
    DelayJobHealthProperties checked() {
        return PropertyChecks.under("delayjob.health", () -> {
            if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(Duration.ofMinutes(1)) > 0) {
                throw new IllegalArgumentException("timeout must be 1 ms to 1 m: " + timeout);
            }
            Checks.notNegative(maxOverdue, "maxOverdue");
            return this;
        });
    }

    /** What a node is while one of its queues is paused. */
    enum WhilePaused {
        /** Pausing is nothing to be alarmed about. */
        UP,
        /** A paused queue is out of service, and the node with it. */
        OUT_OF_SERVICE
    }
}

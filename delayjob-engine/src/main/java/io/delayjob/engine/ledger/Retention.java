package io.delayjob.engine.ledger;

import io.delayjob.support.Checks;
import java.time.Duration;

/**
 * What is kept of finished jobs for looking at: those that ended within {@code time}, the latest {@code count} of them.
 *
 * @param time how long; zero for none
 * @param count how many in each shard; zero for none
 */
public record Retention(Duration time, int count) {

    /** Nothing is kept. */
    public static final Retention NONE = new Retention(Duration.ZERO, 0);

    /** Checks the values. */
    public Retention {
        Checks.notNegative(time, "retention time");
        if (count < 0) {
            throw new IllegalArgumentException("retention count must be zero or more: " + count);
        }
    }

    /** Whether anything is kept. */
    public boolean keeps() {
        return !time.isZero() && count > 0;
    }
}

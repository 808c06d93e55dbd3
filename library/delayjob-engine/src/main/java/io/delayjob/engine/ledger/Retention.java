package io.delayjob.engine.ledger;

import io.delayjob.support.Checks;
import java.time.Duration;

/**
 * Which finished jobs are kept for inspection: those that ended within the last {@code time}, and of those the latest {@code
 * count}.
 *
 * @param time how long they are kept; zero to keep none
 * @param count how many are kept in each shard; zero to keep none
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

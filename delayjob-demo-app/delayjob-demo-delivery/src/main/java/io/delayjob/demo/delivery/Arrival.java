package io.delayjob.demo.delivery;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The arrival of a job at a receiver.
 *
 * @param attempt from 1
 * @param signature {@code valid} if it was checked, {@code none} where calls are not signed
 */
record Arrival(Instant at, int attempt, String signature) {

    /** Now, by the clock of this process. */
    static Arrival now(int attempt, String signature) {
        return new Arrival(Instant.now().truncatedTo(ChronoUnit.MILLIS), attempt, signature);
    }
}

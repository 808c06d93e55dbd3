package io.delayjob.embedded;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Bounded waits. */
final class Patience {
    private static final long STEP_MILLIS = 25;

    private Patience() {}

    /** Polls until the condition holds or the limit has passed; returns whether it held. */
    static boolean until(Duration limit, BooleanSupplier condition) {
        return until(() -> limit, condition);
    }

    /** Same as {@link #until(Duration, BooleanSupplier)}, with a limit that may grow meanwhile. */
    static boolean until(Supplier<Duration> limit, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > limit.get().toNanos() || !sleep()) {
                return false;
            }
        }
        return true;
    }

    private static boolean sleep() {
        try {
            Thread.sleep(STEP_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

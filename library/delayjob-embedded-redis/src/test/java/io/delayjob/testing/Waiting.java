package io.delayjob.testing;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for servers, so that the kit needs no library for it. */
final class Waiting {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final long STEP_MILLIS = 5;

    private Waiting() {}

    /** Returns when the condition holds; one that cannot be asked for does not hold yet. */
    static void until(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!holds(condition)) {
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new IllegalStateException("not within %s: %s".formatted(LIMIT, what));
            }
            sleep();
        }
    }

    private static boolean holds(BooleanSupplier condition) {
        try {
            return condition.getAsBoolean();
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(STEP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}

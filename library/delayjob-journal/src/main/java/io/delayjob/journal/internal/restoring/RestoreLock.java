package io.delayjob.journal.internal.restoring;

import io.delayjob.journal.internal.tables.LockTable;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** The right to restore, which one restore of the fleet has at a time. It must be used again in time, or it ends. */
final class RestoreLock implements AutoCloseable {

    private static final String NAME = "restore";

    /** Longer than the longest wait within a restore, which is a minute for the writer. */
    private static final Duration TIME = Duration.ofMinutes(2);

    /** Longer than a restore needs to notice that it was ended. */
    private static final Duration GIVEN_BACK_WITHIN = Duration.ofSeconds(10);

    private static final long LOOK_MILLIS = 50;

    private static final long RENEWED_EACH_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final LockTable locks;
    private final String holder = UUID.randomUUID().toString();
    private long renewedNanos = System.nanoTime();

    private RestoreLock(LockTable locks) {
        this.locks = locks;
    }

    /**
     * Takes it.
     *
     * @throws IllegalStateException if another restore has it
     */
    static RestoreLock take(LockTable locks) {
        return tryTake(locks).orElseThrow(RestoreLock::taken);
    }

    /**
     * Takes it once the restore has given it back whose permits were just ended.
     *
     * @throws IllegalStateException if a restore still has it after a while
     */
    static RestoreLock takeAfterOthers(LockTable locks) {
        long end = System.nanoTime() + GIVEN_BACK_WITHIN.toNanos();
        Optional<RestoreLock> lock = tryTake(locks);
        while (lock.isEmpty() && System.nanoTime() < end) {
            Answers.sleep(LOOK_MILLIS);
            lock = tryTake(locks);
        }
        return lock.orElseThrow(RestoreLock::taken);
    }

    private static IllegalStateException taken() {
        return new IllegalStateException(
                "another restore or clear goes on; wait for its end, or two minutes if its node has died in the middle of it");
    }

    /** Takes it; empty if another restore has it. */
    static Optional<RestoreLock> tryTake(LockTable locks) {
        RestoreLock lock = new RestoreLock(locks);
        return locks.take(NAME, lock.holder, TIME) ? Optional.of(lock) : Optional.empty();
    }

    /**
     * Keeps it.
     *
     * @throws IllegalStateException if this restore was silent for so long that another one may have begun
     */
    void keep() {
        if (System.nanoTime() - renewedNanos >= RENEWED_EACH_NANOS) {
            if (!locks.take(NAME, holder, TIME)) {
                throw new IllegalStateException(
                        "this was held up for more than two minutes, and another restore or clear has begun; what was done stays");
            }
            renewedNanos = System.nanoTime();
        }
    }

    @Override
    public void close() {
        locks.release(NAME, holder);
    }
}

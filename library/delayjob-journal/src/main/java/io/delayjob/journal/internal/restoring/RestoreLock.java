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
        return tryTake(locks)
                .orElseThrow(
                        () -> new IllegalStateException(
                                "another restore goes on; wait for its end, or two minutes if its node has died in the middle of it"));
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
                        "this restore was held up for more than two minutes, and another one has begun;"
                                + " what was restored stays");
            }
            renewedNanos = System.nanoTime();
        }
    }

    @Override
    public void close() {
        locks.release(NAME, holder);
    }
}

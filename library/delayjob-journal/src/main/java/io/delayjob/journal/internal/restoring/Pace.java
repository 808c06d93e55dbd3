package io.delayjob.journal.internal.restoring;

import io.delayjob.DelayJobException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Keeps a piece of work to so many jobs a second. */
final class Pace {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final @Nullable Integer perSecond;
    private final long begunNanos = System.nanoTime();
    private long done;

    Pace(@Nullable Integer perSecond) {
        this.perSecond = perSecond;
    }

    /** How many jobs to take at once, so that a slow pace is an even one. */
    int atOnce(int most) {
        return perSecond == null ? most : Math.max(1, Math.min(most, perSecond / 10));
    }

    /** Waits until this many more may be done. */
    void await(int jobs) {
        if (perSecond != null) {
            sleep(begunNanos + Math.round((double) done * SECOND / perSecond) - System.nanoTime());
        }
        done += jobs;
    }

    private static void sleep(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DelayJobException(
                    "interrupted in the middle of a restore; what was restored stays, and it may be repeated", e);
        }
    }
}

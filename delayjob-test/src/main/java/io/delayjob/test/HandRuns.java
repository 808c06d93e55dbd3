package io.delayjob.test;

import io.delayjob.redisson.internal.engine.ManualRuns;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/** Runs due jobs and moves the time from one to the next. One thread at a time; a job that runs cannot run others. */
final class HandRuns {

    /** Far above what a test means to do, and reached in seconds. */
    static final int MOST_AT_ONCE = 10_000;

    private final VirtualTime time;
    private final Recording recording;
    private final Supplier<ManualRuns> runs;
    private final ReentrantLock lock = new ReentrantLock();

    HandRuns(VirtualTime time, Recording recording, Supplier<ManualRuns> runs) {
        this.time = time;
        this.recording = recording;
        this.runs = runs;
    }

    /** Runs what is due until then, and ends then. */
    int advanceTo(long target) {
        return alone(() -> {
            int ran = runDueUntil(due -> due <= target, false);
            time.set(Math.max(target, time.millis()));
            return ran;
        });
    }

    /** Runs what waits, and ends at the due time of the last. */
    int drain() {
        return alone(() -> runDueUntil(due -> true, true));
    }

    /** Runs what waits; while a job runs, what it submits, on whichever thread, is left to who runs the job. */
    void drainUnlessRunning() {
        if (lock.isHeldByCurrentThread() || !lock.tryLock()) {
            return;
        }
        try {
            runDueUntil(due -> true, true);
        } finally {
            lock.unlock();
        }
    }

    private int alone(Supplier<Integer> work) {
        if (lock.isHeldByCurrentThread()) {
            throw new IllegalStateException("a job cannot move the clock that runs it; let the test do so");
        }
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    private int runDueUntil(LongPredicate wanted, boolean drain) {
        int ran = 0;
        int ranNow = 0;
        while (true) {
            while (runs.get().runOne()) {
                ran++;
                ranNow++;
                refuseEndless(drain ? ran : ranNow, drain);
            }
            OptionalLong wait = runs.get().millisToNext();
            if (wait.isEmpty() || !wanted.test(time.millis() + wait.getAsLong())) {
                return ran;
            }
            if (wait.getAsLong() > 0) {
                time.set(time.millis() + wait.getAsLong());
                ranNow = 0;
            }
        }
    }

    private void refuseEndless(int ran, boolean drain) {
        if (ran < MOST_AT_ONCE) {
            return;
        }
        String what = drain
                ? ran
                        + " attempts ran and jobs still wait: does a job submit itself, again and again? Then advance the clock"
                        + " to where the test is to end, instead of draining"
                : ran + " attempts ran at " + time.now()
                        + " and jobs are still due: does a job submit itself without a delay,"
                        + " or is retried without a backoff?";
        throw new IllegalStateException(what + ". The last was " + recording.lastAttempt());
    }
}

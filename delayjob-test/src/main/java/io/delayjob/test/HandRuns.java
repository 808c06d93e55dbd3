package io.delayjob.test;

import io.delayjob.redisson.internal.engine.ManualRuns;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Runs due jobs and moves the time from one to the next. One thread at a time; a job that runs cannot run others. */
final class HandRuns {

    /** Far above what a test means to do, and reached in seconds. */
    static final int MOST = 10_000;

    private final VirtualTime time;
    private final Recording recording;
    private final Supplier<ManualRuns> runs;
    private final ReentrantLock lock = new ReentrantLock();

    HandRuns(VirtualTime time, Recording recording, Supplier<ManualRuns> runs) {
        this.time = time;
        this.recording = recording;
        this.runs = runs;
    }

    /** What makes runs endless. */
    private enum Limit {
        /** Jobs without a delay between them. */
        AT_ONE_TIME("submit itself without a delay, or fail without a backoff?"),
        /** Any jobs that go on. */
        IN_ALL("submit itself, again and again? Then advance the clock to where the test ends, instead of draining.");

        private final String suspicion;

        Limit(String suspicion) {
            this.suspicion = suspicion;
        }
    }

    /** Runs what is due until then, and ends then. */
    int advanceTo(long target) {
        return alone(() -> {
            int ran = run(target, Limit.AT_ONE_TIME);
            time.set(Math.max(target, time.millis()));
            return ran;
        });
    }

    /** Runs what waits, and ends at the due time of the last. */
    int drain() {
        return alone(() -> run(Long.MAX_VALUE, Limit.IN_ALL));
    }

    /** Drains; while a job runs, what it submits, on whichever thread, is left to who runs the job. */
    void drainUnlessRunning() {
        if (lock.isHeldByCurrentThread() || !lock.tryLock()) {
            return;
        }
        try {
            run(Long.MAX_VALUE, Limit.IN_ALL);
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

    /** From one due time to the next, until there is none up to the target. */
    private int run(long target, Limit limit) {
        int ran = 0;
        int counted = 0;
        OptionalLong wait = OptionalLong.of(0);
        while (wait.isPresent() && wait.getAsLong() <= target - time.millis()) {
            counted = limit == Limit.AT_ONE_TIME && wait.getAsLong() > 0 ? 0 : counted;
            time.set(time.millis() + wait.getAsLong());
            while (runs.get().runOne()) {
                ran++;
                counted++;
                refuseEndless(counted, limit);
            }
            wait = runs.get().millisToNext();
        }
        return ran;
    }

    private void refuseEndless(int counted, Limit limit) {
        if (counted > MOST) {
            throw new IllegalStateException("more than " + MOST + " attempts ran until " + time.now() + ", the last at "
                    + recording.lastAttempt() + ": does it " + limit.suspicion);
        }
    }
}

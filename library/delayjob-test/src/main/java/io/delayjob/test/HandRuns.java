package io.delayjob.test;

import io.delayjob.engine.ManualRuns;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs due jobs and moves the time from one to the next; claims that wait get jobs first. One thread at a time; a running job cannot run
 * others.
 */
final class HandRuns {

    /** Far more attempts than any test intends, and reached within seconds. */
    static final int MOST = 10_000;

    /** The default time that other threads have to acknowledge. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(HandRuns.class);

    private final VirtualTime time;
    private final Recording recording;
    private final Supplier<ManualRuns> runs;
    private final HandClaims claims;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Duration patience = PATIENCE;
    private volatile int most = MOST;

    HandRuns(VirtualTime time, Recording recording, Supplier<ManualRuns> runs, HandClaims claims) {
        this.time = time;
        this.recording = recording;
        this.runs = runs;
        this.claims = claims;
    }

    /** The limits that stop endless runs. */
    private enum Limit {
        /** Too many attempts at one time of the clock. */
        AT_ONE_TIME("submit itself without a delay, or fail without a backoff?"),
        /** Too many attempts in total. */
        IN_ALL("submit itself, again and again? Then advance the clock to where the test ends, instead of draining.");

        private final String suspicion;

        Limit(String suspicion) {
            this.suspicion = suspicion;
        }
    }

    /** Sets how long, in real time, the clock waits before it passes the end of the lease of a job that was not acknowledged. */
    void awaitAcknowledgments(Duration atMost) {
        patience = atMost;
    }

    /** Sets how many attempts are too many. */
    void refuseMoreThan(int attempts) {
        most = attempts;
    }

    /** Runs the jobs that are due up to a time, and sets the clock to that time. */
    int advanceTo(long target) {
        return alone(() -> {
            int ran = run(target, Limit.AT_ONE_TIME);
            while (acknowledged(target)) {
                ran += run(target, Limit.AT_ONE_TIME);
            }
            moveTo(Math.max(target, time.millis()));
            claims.answer();
            return ran;
        });
    }

    /** Runs all jobs that wait; the clock ends at the due time of the last. */
    int drain() {
        return alone(() -> run(Long.MAX_VALUE, Limit.IN_ALL));
    }

    /** Drains, unless a job is running: what that job submits, on any thread, is run by whoever runs the job. */
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

    /** Runs jobs from one due time to the next, up to the target. */
    private int run(long target, Limit limit) {
        int ran = 0;
        int counted = 0;
        OptionalLong wait = OptionalLong.of(0);
        while (wait.isPresent() && wait.getAsLong() <= target - time.millis()) {
            long next = time.millis() + wait.getAsLong();
            if (acknowledged(next)) {
                wait = toNext(limit);
                continue;
            }
            counted = limit == Limit.AT_ONE_TIME && wait.getAsLong() > 0 ? 0 : counted;
            moveTo(next);
            if (limit == Limit.AT_ONE_TIME) {
                runs.get().fireSchedules();
            }
            claims.answer();
            while (runs.get().runOne()) {
                ran++;
                counted++;
                refuseEndless(counted, limit);
                claims.answer();
            }
            wait = toNext(limit);
        }
        return ran;
    }

    /** A drain fires no schedules, because it would never end. */
    private OptionalLong toNext(Limit limit) {
        OptionalLong instant = limit == Limit.AT_ONE_TIME ? runs.get().millisToInstant() : OptionalLong.empty();
        return Stream.of(runs.get().millisToNext(), claims.millisToNext(), instant)
                .flatMapToLong(OptionalLong::stream)
                .min();
    }

    /** Whether other threads have acknowledged or settled the jobs whose leases the clock is about to pass. */
    private boolean acknowledged(long next) {
        if (patience.isZero() || unacknowledgedUntil(next).isEmpty()) {
            return false;
        }
        boolean said = recording.await(() -> unacknowledgedUntil(next).isEmpty(), patience);
        if (!said) {
            log.warn(
                    "{} was not acknowledged within {} of real time, and its lease ends now; a test that expects this calls"
                            + " VirtualClock.awaitAcknowledgments(Duration.ZERO)",
                    unacknowledgedUntil(next),
                    patience);
        }
        return said;
    }

    private List<String> unacknowledgedUntil(long millis) {
        return Stream.concat(runs.get().unacknowledgedUntil(millis).stream(), claims.unsettledUntil(millis).stream())
                .toList();
    }

    private void moveTo(long millis) {
        if (millis > time.millis()) {
            time.set(millis);
            runs.get().forgetWhatIsOver();
        }
    }

    private void refuseEndless(int counted, Limit limit) {
        if (counted > most) {
            throw new IllegalStateException("more than " + most + " attempts ran until " + time.now() + ", the last at "
                    + recording.lastAttempt() + ": does it " + limit.suspicion);
        }
    }
}

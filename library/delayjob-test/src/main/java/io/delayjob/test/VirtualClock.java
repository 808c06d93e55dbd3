package io.delayjob.test;

import io.delayjob.support.Checks;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.function.LongConsumer;

/**
 * The clock of a test, which stands still until the test moves it. It replaces Redis' clock: delays, backoffs, leases and times to
 * live all follow it, to the millisecond. A bean in the context of a {@link DelayJobTest}.
 *
 * <p>At the start of each test method it is set to the system clock, so that code that computes due times from {@code
 * Instant.now()} is nearly right; to start on a certain day, see {@link #startAt}. Code that must agree with it to the millisecond
 * should use a {@link Clock} bean, which in the test is {@link #asClock()}.
 *
 * <p>Jobs run on the thread that moves the clock, one at a time in the order of their due times, while the clock shows the due
 * time; never early. The jobs that run are those that a consuming node of this application would run: jobs of the default queue, of
 * queues with settings, and of the queues of its beans and listeners. A paused queue stays paused. A job that its listener does not
 * acknowledge is handed out again when its lease ends; before the clock passes the end of that lease, it waits for other threads to
 * acknowledge ({@link #awaitAcknowledgments}). Finished jobs and dedupe keys that are kept for a time are removed when the clock
 * passes that time. Only the timeout of an attempt follows the system clock.
 *
 * <p>Claims ({@link io.delayjob.DelayJobClaims}) follow it too: one that waits is answered by the thread that moves the clock, when a job
 * is due, before any bean gets the job, or when the clock has passed the end of its wait. Before the clock passes the end of the lease of
 * a job that another thread has claimed, it waits for that thread to settle it, as it waits for acknowledgments. A claim that waits on
 * its own thread waits as long in real time at most.
 *
 * <p>Thread-safe: while one thread moves the clock, others wait. A job that tries to move the clock gets an {@link
 * IllegalStateException}.
 */
public final class VirtualClock {

    private final VirtualTime time;
    private final Recording recording;
    private final HandRuns runs;
    private final LongConsumer start;

    VirtualClock(VirtualTime time, Recording recording, HandRuns runs, LongConsumer start) {
        this.time = time;
        this.recording = recording;
        this.runs = runs;
        this.start = start;
    }

    /**
     * The current time of this clock.
     *
     * @return the time, with a precision of milliseconds
     */
    public Instant now() {
        return time.now();
    }

    /**
     * Moves the clock forward and runs everything that becomes due on the way: jobs that wait now, jobs that these submit, retries, and
     * the occurrences of schedules.
     *
     * @param duration how far, zero or more; fractions of a millisecond are rounded up
     * @return how many attempts ran
     * @throws IllegalArgumentException if {@code duration} is negative
     * @throws IllegalStateException if more than 10,000 attempts run at the same time of the clock: a job submits itself
     */
    public int advance(Duration duration) {
        return runs.advanceTo(
                Math.addExact(time.millis(), Checks.ceilMillis(Checks.notNegative(duration, "duration"))));
    }

    /**
     * Moves the clock forward to a time, as {@link #advance} does.
     *
     * @param instant not before {@link #now()}
     * @return how many attempts ran
     * @throws IllegalArgumentException if {@code instant} is before {@link #now()}
     * @throws IllegalStateException as {@link #advance} does
     */
    public int advanceTo(Instant instant) {
        Instant now = now();
        if (instant.isBefore(now)) {
            throw new IllegalArgumentException("the clock cannot go back: it is " + now + ", later than " + instant);
        }
        return advance(Duration.between(now, instant));
    }

    /**
     * Runs the jobs that are due now, without moving the clock.
     *
     * @return how many attempts ran
     * @throws IllegalStateException as {@link #advance} does
     */
    public int runDue() {
        return advance(Duration.ZERO);
    }

    /**
     * Moves the clock forward until no job and no retry waits any more; it ends at the due time of the last. Schedules do not fire, because
     * that would never end.
     *
     * @return how many attempts ran
     * @throws IllegalStateException if more than 10,000 attempts run: a job submits itself again and again
     */
    public int drain() {
        return runs.drain();
    }

    /**
     * Sets how long, in real time, this clock waits before it passes the end of the lease of a job whose listener has returned
     * without acknowledging it ({@link io.delayjob.AckMode#MANUAL}), or that another thread has claimed and not settled, because another
     * thread may be about to do so. After that the lease ends, which is logged, and the job is handed out again. 5 s at the start of each
     * test method.
     *
     * @param atMost the longest wait; zero not to wait, for a test of jobs that are not acknowledged or settled
     * @throws IllegalArgumentException if {@code atMost} is negative
     */
    public void awaitAcknowledgments(Duration atMost) {
        runs.awaitAcknowledgments(Checks.notNegative(atMost, "atMost"));
    }

    /**
     * Sets the clock before the test submits anything, for tests that depend on the day or the hour. Schedules begin anew: those that the
     * application declares are stored again, others are forgotten.
     *
     * @param instant past or future; fractions of a millisecond are dropped
     * @throws IllegalStateException if a job was already submitted
     */
    public void startAt(Instant instant) {
        if (!recording.submitted().isEmpty()) {
            throw new IllegalStateException("jobs were submitted already: the clock can only be advanced now");
        }
        start.accept(instant.toEpochMilli());
    }

    /**
     * This clock as a {@link Clock}, for the application's own code: make it the {@code Clock} bean of the test.
     *
     * <pre>{@code
     * @TestConfiguration
     * static class Time {
     *     @Bean
     *     @Primary
     *     Clock virtual(VirtualClock clock) {
     *         return clock.asClock();
     *     }
     * }
     * }</pre>
     *
     * @return a view of this clock in UTC; use {@link Clock#withZone} for other zones
     */
    public Clock asClock() {
        InstantSource now = this::now;
        return now.withZone(ZoneOffset.UTC);
    }

    @Override
    public String toString() {
        return "virtual clock at " + now();
    }
}

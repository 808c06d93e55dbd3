package io.delayjob.test;

import io.delayjob.support.Checks;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;

/**
 * The time of a test, which stands still until the test moves it. It takes the place of Redis' clock: delays, backoffs, leases and
 * times to live are all by it, to the millisecond. A bean of the context of a {@link DelayJobTest}.
 *
 * <p>Each test method begins at the time of the machine's clock then, so that code that makes due times of {@code Instant.now()} is
 * near the truth; for a certain day, see {@link #startAt}. Code that is to agree with it to the millisecond takes a
 * {@link Clock}, in the test the one of {@link #asClock()}.
 *
 * <p>Jobs run on the thread that moves the clock, one after the other in the order of their due times, while the clock shows the
 * due time; never early. What runs is what a node of this application that consumes would run: jobs of the default queue, of queues with
 * settings, and of queues of its listeners. A paused queue stays paused. A listener that leaves its job unacknowledged gets it again
 * when its lease is over; before the clock passes that, it waits for other threads ({@link #awaitAcknowledgments}). Finished jobs
 * and dedupe keys that are kept for a time are forgotten when the clock passes it. The timeout of an attempt alone is by the machine's
 * clock.
 *
 * <p>Thread-safe: while one thread moves the clock, others wait to. A job that tries gets an {@link IllegalStateException}.
 */
public final class VirtualClock {

    private final VirtualTime time;
    private final Recording recording;
    private final HandRuns runs;

    VirtualClock(VirtualTime time, Recording recording, HandRuns runs) {
        this.time = time;
        this.recording = recording;
        this.runs = runs;
    }

    /**
     * What time it is.
     *
     * @return in milliseconds
     */
    public Instant now() {
        return time.now();
    }

    /**
     * Moves on, and runs everything that becomes due on the way: what waits now, what those jobs submit, and their retries.
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
     * Moves on to a time, as {@link #advance} does.
     *
     * @param instant not before {@link #now()}
     * @return how many attempts ran
     * @throws IllegalArgumentException if {@code instant} has passed
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
     * Runs what is due now, and does not move.
     *
     * @return how many attempts ran
     * @throws IllegalStateException as {@link #advance} does
     */
    public int runDue() {
        return advance(Duration.ZERO);
    }

    /**
     * Moves on until nothing waits any more, neither a job nor a retry, and ends at the due time of the last.
     *
     * @return how many attempts ran
     * @throws IllegalStateException if that were more than 10,000: a job submits itself, again and again
     */
    public int drain() {
        return runs.drain();
    }

    /**
     * How long this clock stands still, by the machine's clock, before it passes the end of the lease of a job whose listener has
     * returned and not said how the attempt ended ({@link io.delayjob.AckMode#MANUAL}): another thread may be about to say it. Then
     * the lease ends, the log says so, and the job is handed out again. 5 s at the beginning of each test method.
     *
     * @param atMost zero not to wait at all, in a test about jobs that are not acknowledged
     * @throws IllegalArgumentException if {@code atMost} is negative
     */
    public void awaitAcknowledgments(Duration atMost) {
        runs.awaitAcknowledgments(Checks.notNegative(atMost, "atMost"));
    }

    /**
     * Begins the test at a time of its own, before it submits anything: for what depends on the day or the hour.
     *
     * @param instant past or future; fractions of a millisecond are dropped
     * @throws IllegalStateException if something was submitted already
     */
    public void startAt(Instant instant) {
        if (!recording.submitted().isEmpty()) {
            throw new IllegalStateException("jobs were submitted already: the clock can only be advanced now");
        }
        time.set(instant.toEpochMilli());
    }

    /**
     * This clock as the JDK's, for the application's own code: make it the bean that stands for the clock.
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
     * @return a view in UTC; others by {@link Clock#withZone}
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

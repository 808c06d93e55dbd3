package io.delayjob.engine.internal.actors;

import io.delayjob.Backoff;
import io.delayjob.engine.ledger.LedgerException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the consecutive failures of something that is tried until it succeeds, and decides how long to wait before the next try.
 * The first failure is logged at WARN, the recovery at INFO. Thread-safe.
 */
public final class Failures {

    private static final Logger log = LoggerFactory.getLogger(Failures.class);

    /**
     * For work that may be some seconds late after an outage. Always below 5 s, because a longer gap between feeds counts as an
     * outage.
     */
    public static final Backoff PATIENT = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2), 2, 0.5);

    /** For work that must continue as soon as Redis is back. */
    public static final Backoff PROMPT = new Backoff(Duration.ofMillis(50), Duration.ofMillis(350), 2, 0.5);

    /** About 3 s of failures with the patient backoff, so that a failover does not count as a fault. */
    private static final int FAULTY = 5;

    private final String name;
    private final Backoff pause;
    private final AtomicInteger inARow = new AtomicInteger();

    /**
     * Starts without failures.
     *
     * @param name the name in the log of what is tried
     * @param pause the wait between two tries
     */
    public Failures(String name, Backoff pause) {
        this.name = name;
        this.pause = pause;
    }

    /** Records a success. */
    public void over() {
        int failed = inARow.getAndSet(0);
        if (failed > 0) {
            log.info("{} has recovered after {}", name, failed == 1 ? "one failure" : failed + " failures");
        }
    }

    /** Records a failure, and returns how long to wait before the next try. */
    public Duration add(Throwable failure) {
        int failed = inARow.incrementAndGet();
        Duration wait = pause.after(failed, ThreadLocalRandom.current());
        if (failed == 1) {
            warn(failure);
        } else {
            log.debug("{} failed {} times, next try in {}", name, failed, wait, failure);
        }
        return wait;
    }

    private void warn(Throwable failure) {
        if (failure instanceof LedgerException) {
            log.warn("{} tries again until it succeeds: {}", name, failure.getMessage());
        } else {
            log.warn("{} failed and tries again until it succeeds", name, failure);
        }
    }

    /** A sentence about the failures in a row; null after a success or a few failures, which do not count as a fault. */
    public @Nullable String fault() {
        int failed = inARow.get();
        return failed < FAULTY ? null : name + " has failed " + failed + " times in a row";
    }
}

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
 * The failures in a row of something that is tried until it succeeds: how long to wait before the next try, and what to say of it. The
 * first of a row is logged at WARN, the recovery at INFO. Thread-safe.
 */
public final class Failures {

    private static final Logger log = LoggerFactory.getLogger(Failures.class);

    /** For what may be late by some seconds after an outage. Under 5 s in any case: a longer gap between feeds is taken for an outage. */
    public static final Backoff PATIENT = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2), 2, 0.5);

    /** For what must go on as soon as Redis is back. */
    public static final Backoff PROMPT = new Backoff(Duration.ofMillis(50), Duration.ofMillis(350), 2, 0.5);

    /** About 3 s of them, where it waits patiently: what a failover takes is no trouble yet. */
    private static final int TROUBLED = 5;

    private final String name;
    private final Backoff pause;
    private final AtomicInteger inARow = new AtomicInteger();

    /**
     * None yet.
     *
     * @param name of what is tried, as the log is to call it
     * @param pause between two tries
     */
    public Failures(String name, Backoff pause) {
        this.name = name;
        this.pause = pause;
    }

    /** It has succeeded. */
    public void over() {
        int failed = inARow.getAndSet(0);
        if (failed > 0) {
            log.info("{} has recovered after {}", name, failed == 1 ? "one failure" : failed + " failures");
        }
    }

    /** It has failed; how long to wait before the next try. */
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

    /** What keeps it from its work; null if nothing does. A step that fails now and then is nothing. */
    public @Nullable String trouble() {
        int failed = inARow.get();
        return failed < TROUBLED ? null : name + " has failed " + failed + " times in a row";
    }
}

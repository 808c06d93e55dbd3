package io.delayjob.journal.internal.writing;

import io.delayjob.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the failures in a row of something that is tried for several shards, and decides how long to wait before the next try. The
 * first failure is logged at WARN, the end of the last at INFO. Thread-safe.
 */
final class Outage {

    private static final Logger log = LoggerFactory.getLogger(Outage.class);
    private static final Backoff PAUSE = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2), 2, 0.5);

    private final String what;
    private final Map<Object, Integer> inARow = new HashMap<>();
    private @Nullable Instant since;

    Outage(String what) {
        this.what = what;
    }

    /** Records a failure, and returns how long to wait before the next try. */
    synchronized Duration failed(Object which, Throwable failure) {
        int failures = inARow.merge(which, 1, Integer::sum);
        if (since == null) {
            since = Instant.now();
            log.warn("{} and is tried again until it succeeds: {}", what, failure.getMessage());
        }
        log.debug("{}: {} for the {}. time", what, which, failures, failure);
        return PAUSE.after(failures, RandomGenerator.getDefault());
    }

    /** Records a success. */
    synchronized void over(Object which) {
        Instant began = since;
        if (inARow.remove(which) != null && inARow.isEmpty() && began != null) {
            since = null;
            log.info("{}: over after {}", what, Duration.between(began, Instant.now()));
        }
    }

    /** Since when it lasts; empty if there is none. */
    synchronized Optional<Instant> since() {
        return Optional.ofNullable(since);
    }
}

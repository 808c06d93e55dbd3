package io.delayjob.server.internal.limits;

import io.delayjob.server.limits.Rate;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;

/** The refused requests of one caller, or of one address whose callers are not known. To refuse a request costs as much as to serve one. */
final class Refusals {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int A_SECOND = 10;
    private static final int AT_ONCE = 100;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final Rate rate;

    Refusals(TimeMeter clock) {
        this.rate = new Rate(A_SECOND, SECOND, AT_ONCE, clock);
    }

    /** Counts a refused request. Returns how long its answer is held back: whoever is refused without end asks more slowly. */
    Duration count() {
        Duration pause = rate.used(1);
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }
}

package io.delayjob.demo;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** How the tests wait: on events, with a bound that a busy machine keeps. */
final class Waits {

    private Waits() {}

    static ConditionFactory upTo(Duration bound) {
        return Awaitility.await().atMost(bound).pollInterval(Duration.ofMillis(100));
    }

    static ConditionFactory soon() {
        return upTo(Duration.ofMinutes(2));
    }
}

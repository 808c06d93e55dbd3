package io.delayjob.benchmarks.driver;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Waits for what must come, however busy the machine is. */
public final class Waits {

    /** How long at most: a machine with much else to do takes its time. */
    public static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final Duration LOOK = Duration.ofMillis(20);

    private Waits() {}

    /**
     * Looks every 20 ms whether something has come.
     *
     * @param expected what is waited for, for the message
     * @throws org.awaitility.core.ConditionTimeoutException if it has not within {@link #PATIENCE}
     */
    public static void until(String expected, Callable<Boolean> there) {
        Awaitility.await(expected)
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(LOOK)
                .pollInSameThread()
                .until(there);
    }
}

package io.delayjob.server.console.internal.look;

import java.util.List;

/**
 * What happened in a queue within the last minute.
 *
 * @param completed attempts that succeeded, a second
 * @param failed attempts that failed, a second
 * @param died jobs that were given up, a second
 * @param p50 milliseconds from due time to start that half of the attempts did not exceed; -1 if none started
 * @param p99 the same of 99 in 100
 * @param partial whether more happened than could be read
 * @param perSecond what completed in each of these seconds, the oldest first
 */
public record Rates(
        double completed, double failed, double died, long p50, long p99, boolean partial, List<Double> perSecond) {

    /** What completed, second by second, as a line. */
    public Chart line() {
        return Chart.of(perSecond.stream().mapToDouble(Double::doubleValue).toArray(), 120, 24);
    }
}

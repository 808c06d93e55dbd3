package io.delayjob.server.console.internal.look;

import java.util.Arrays;

/**
 * Two lines to one scale.
 *
 * @param first the first, over an area
 * @param second the second
 */
public record Curves(Chart first, Chart second) {

    static final int WIDTH = 720;
    static final int HEIGHT = 90;

    static Curves of(double[] first, double[] second) {
        double highest = Math.max(highest(first), highest(second));
        return new Curves(Chart.of(first, WIDTH, HEIGHT, highest), Chart.of(second, WIDTH, HEIGHT, highest));
    }

    private static double highest(double[] values) {
        return Arrays.stream(values).max().orElse(0);
    }
}

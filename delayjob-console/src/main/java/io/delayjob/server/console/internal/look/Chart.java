package io.delayjob.server.console.internal.look;

import java.util.Arrays;
import java.util.Locale;

/**
 * A line over an area, to be drawn as SVG.
 *
 * @param width its width
 * @param height its height
 * @param line the path of the line
 * @param area the path of the area below it
 * @param highest the highest value
 */
public record Chart(int width, int height, String line, String area, double highest) {

    /** A line through values, from left to right. The bottom is zero; the top is the highest value. */
    public static Chart of(double[] values, int width, int height) {
        return of(values, width, height, Arrays.stream(values).max().orElse(0));
    }

    /** The same of which the top is another value. */
    static Chart of(double[] values, int width, int height, double top) {
        double highest = Arrays.stream(values).max().orElse(0);
        if (values.length < 2) {
            return new Chart(width, height, "", "", highest);
        }
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < values.length; i++) {
            double x = (double) width * i / (values.length - 1);
            double y = height - 1 - (top == 0 ? 0 : (height - 2) * values[i] / top);
            line.append(i == 0 ? "M" : "L").append(point(x)).append(' ').append(point(y));
        }
        return new Chart(width, height, line.toString(), line + "V" + height + "H0Z", highest);
    }

    /** The highest value, of milliseconds. */
    public long millis() {
        return (long) Math.ceil(highest);
    }

    private static String point(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}

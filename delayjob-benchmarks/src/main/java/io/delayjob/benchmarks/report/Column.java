package io.delayjob.benchmarks.report;

import java.util.Locale;

/**
 * A column of a table of measurements.
 *
 * @param value the name of the value
 * @param head with the unit
 */
record Column(String value, String head) {

    private static final int RUNS_SHOWN = 2;

    /** The median, and the smallest and largest if there were several runs. */
    String cell(Measurement measurement) {
        if (measurement.runs(value) == 0) {
            return "";
        }
        String median = number(measurement.median(value).orElseThrow());
        return measurement.runs(value) < RUNS_SHOWN
                ? median
                : "%s (%s–%s)".formatted(median, number(measurement.min(value)), number(measurement.max(value)));
    }

    /** A number with as many digits as say something. */
    static String number(double number) {
        double size = Math.abs(number);
        int digits = size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%,." + digits + "f", number);
    }
}

package io.delayjob.benchmarks.report;

import java.util.OptionalDouble;

/**
 * What the project set itself to reach.
 *
 * @param most whether the bound is the largest that will do, else the smallest
 */
record Target(String what, boolean most, double bound, String unit, OptionalDouble measured) {

    static Target atLeast(String what, double bound, String unit, OptionalDouble measured) {
        return new Target(what, false, bound, unit, measured);
    }

    static Target atMost(String what, double bound, String unit, OptionalDouble measured) {
        return new Target(what, true, bound, unit, measured);
    }

    String line() {
        return "| %s | %s %s%s | %s | %s |\n"
                .formatted(what, most ? "at most" : "at least", Column.number(bound), unit, shown(), verdict());
    }

    private String shown() {
        return measured.isPresent() ? Column.number(measured.getAsDouble()) + unit : "not measured";
    }

    boolean isReached() {
        return measured.isPresent() && (most ? measured.getAsDouble() <= bound : measured.getAsDouble() >= bound);
    }

    private String verdict() {
        if (measured.isEmpty()) {
            return "";
        }
        return isReached() ? "reached" : "**missed** by " + distance(measured.getAsDouble());
    }

    private String distance(double value) {
        if (bound == 0 || value == 0) {
            return Column.number(Math.abs(value - bound)) + unit;
        }
        return "a factor of " + Column.number(most ? value / bound : bound / value);
    }
}

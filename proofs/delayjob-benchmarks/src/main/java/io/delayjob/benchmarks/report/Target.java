package io.delayjob.benchmarks.report;

/**
 * A goal of the project, and what was measured.
 *
 * @param most whether the bound is the largest that will do, else the smallest
 * @param measured not finite if it was not measured
 */
record Target(String what, boolean most, double bound, String unit, double measured) {

    static Target atLeast(String what, double bound, String unit, double measured) {
        return new Target(what, false, bound, unit, measured);
    }

    static Target atMost(String what, double bound, String unit, double measured) {
        return new Target(what, true, bound, unit, measured);
    }

    String wanted() {
        return (most ? "at most " : "at least ") + Table.number(bound) + unit;
    }

    String shown() {
        return Double.isFinite(measured) ? Table.number(measured) + unit : "not measured";
    }

    boolean isReached() {
        return Double.isFinite(measured) && (most ? measured <= bound : measured >= bound);
    }

    String verdict() {
        if (isReached() || !Double.isFinite(measured)) {
            return isReached() ? "reached" : "";
        }
        return "**missed** by "
                + (bound == 0 || measured == 0
                        ? Table.number(Math.abs(measured - bound)) + unit
                        : "a factor of " + Table.number(most ? measured / bound : bound / measured));
    }
}

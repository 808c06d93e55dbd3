package io.delayjob.server.console.internal.look;

import io.delayjob.server.console.internal.pages.Formats;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * A chart with axes: lines to one scale, over some time before now or after it.
 *
 * @param lines the lines; the first is over an area
 * @param unit of the values
 * @param top the value of the upper edge, of which a half is easy to say; the lower edge is zero
 * @param fromMillis when it begins: so many milliseconds after now, negative before it
 * @param toMillis when it ends, likewise
 * @param parts the number of equal parts that the time is divided into
 * @param stepMillis how many milliseconds a value is of
 */
public record Plot(
        List<Line> lines, Unit unit, double top, long fromMillis, long toMillis, int parts, long stepMillis) {

    private static final int WIDTH = 720;
    private static final int HEIGHT = 90;
    private static final int STEPS = 60;
    private static final String NEXT = "|";

    /** The unit of values. */
    public enum Unit {
        /** Of something per time. */
        RATE(1),
        /** Jobs. */
        JOBS(2),
        /** Milliseconds. */
        MILLIS(10);

        private static final double[] ROUND = {1, 2, 4, 10};
        private static final double[] ROUND_SECONDS = {
            1, 2, 4, 10, 20, 60, 120, 240, 600, 1200, 3600, 7200, 14_400, 36_000, 86_400
        };
        private static final double SECOND = 1000;

        private final double least;

        Unit(double least) {
            this.least = least;
        }

        /** The least value that is easy to say, as its half is, and that no value exceeds. */
        double top(double highest) {
            if (this == MILLIS && highest > SECOND) {
                return SECOND
                        * Arrays.stream(ROUND_SECONDS)
                                .filter(round -> round * SECOND >= highest)
                                .findFirst()
                                .orElseGet(() -> decimal(highest / SECOND));
            }
            return decimal(Math.max(least, highest));
        }

        private static double decimal(double highest) {
            double power = Math.pow(10, Math.floor(Math.log10(highest)));
            return Arrays.stream(ROUND)
                            .filter(round -> round * power >= highest)
                            .findFirst()
                            .orElse(ROUND[ROUND.length - 1])
                    * power;
        }

        /** A value as people read it. */
        public String text(Formats formats, double value) {
            return switch (this) {
                case RATE -> formats.rate(value);
                case JOBS -> formats.number(Math.round(value));
                case MILLIS -> formats.duration((long) Math.ceil(value));
            };
        }
    }

    /**
     * One line.
     *
     * @param name the message {@code chart.<name>}
     * @param chart how it is drawn
     * @param values its values, the oldest first; NaN is not known
     */
    public record Line(String name, Chart chart, List<Double> values) {

        /** Its values as people read them, between bars; one that is not known is empty. */
        public String texts(Formats formats, Unit unit) {
            return values.stream()
                    .map(value -> value.isNaN() ? "" : unit.text(formats, value))
                    .collect(Collectors.joining(NEXT));
        }
    }

    /** The values of a line, the oldest first; NaN is not known. */
    record Values(String name, List<Double> values) {

        static Values of(String name, double[] values) {
            return new Values(name, DoubleStream.of(values).boxed().toList());
        }

        /** So many of them, the latest. */
        Values last(int count) {
            return new Values(name, values.subList(Math.max(0, values.size() - count), values.size()));
        }

        private double highest() {
            return Chart.highest(array());
        }

        private double[] array() {
            return values.stream().mapToDouble(Double::doubleValue).toArray();
        }

        private Line line(double top) {
            return new Line(name, Chart.of(array(), WIDTH, HEIGHT, top), values);
        }
    }

    /** Until now. */
    static Plot until(Reach reach, Duration step, Unit unit, Values... lines) {
        return of(unit, -reach.length().toMillis(), 0, reach.parts(), step.toMillis(), lines);
    }

    /**
     * When something happened, as far back as it did or for four weeks.
     *
     * @param name the message {@code chart.<name>}
     * @param moments in the order of time; what is older is not shown
     */
    public static Plot past(String name, Instant now, List<Instant> moments) {
        Reach reach = Reach.over(moments.isEmpty() ? Duration.ZERO : Duration.between(moments.get(0), now));
        long step = reach.length().toMillis() / STEPS;
        double[] counts = new double[STEPS];
        for (Instant moment : moments) {
            long ago = Math.max(0, Duration.between(moment, now).toMillis()) / step;
            if (ago < STEPS) {
                counts[STEPS - 1 - (int) ago]++;
            }
        }
        return until(reach, Duration.ofMillis(step), Unit.JOBS, Values.of(name, counts));
    }

    /**
     * Jobs, from now on.
     *
     * @param length how long it goes on
     * @param parts the number of equal parts that this time is divided into
     * @param jobs how many, in the order of time
     */
    public static Plot ahead(Duration length, int parts, double[] jobs) {
        long millis = length.toMillis();
        return of(Unit.JOBS, 0, millis, parts, millis / jobs.length, Values.of("jobs", jobs));
    }

    private static Plot of(Unit unit, long fromMillis, long toMillis, int parts, long stepMillis, Values... lines) {
        double top =
                unit.top(Arrays.stream(lines).mapToDouble(Values::highest).max().orElse(0));
        return new Plot(
                Arrays.stream(lines).map(line -> line.line(top)).toList(),
                unit,
                top,
                fromMillis,
                toMillis,
                parts,
                stepMillis);
    }

    /** How many values of its first line are not known. */
    public int unknown() {
        return lines.get(0).chart().unknown();
    }

    /** When a part begins, in milliseconds after now. */
    public long millisAt(int part) {
        return fromMillis + (toMillis - fromMillis) * part / parts;
    }
}

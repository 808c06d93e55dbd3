package io.delayjob.server.console.internal.look;

import java.util.Arrays;
import java.util.Locale;

/**
 * A line over an area, to be drawn as SVG. Where a value is not known, there is neither.
 *
 * @param width its width
 * @param height its height
 * @param line the path of the line
 * @param area the path of the area below it
 * @param highest the highest value
 * @param gaps the path of the areas of what is not known
 * @param unknown how many values are not known
 */
public record Chart(int width, int height, String line, String area, double highest, String gaps, int unknown) {

    /** A line through values, from left to right; NaN is not known. The bottom is zero; the top is the highest value. */
    public static Chart of(double[] values, int width, int height) {
        return of(values, width, height, highest(values));
    }

    /** The same of which the top is another value. */
    static Chart of(double[] values, int width, int height, double top) {
        Drawing drawing = new Drawing(values, width, height, top);
        if (values.length > 1) {
            drawing.draw();
        }
        return new Chart(
                width,
                height,
                drawing.line.toString(),
                drawing.area.toString(),
                highest(values),
                drawing.gaps.toString(),
                (int) Arrays.stream(values).filter(Double::isNaN).count());
    }

    static double highest(double[] values) {
        return Arrays.stream(values).filter(value -> !Double.isNaN(value)).max().orElse(0);
    }

    private static final class Drawing {

        private final double[] values;
        private final int width;
        private final int height;
        private final double top;
        private final StringBuilder line = new StringBuilder();
        private final StringBuilder area = new StringBuilder();
        private final StringBuilder gaps = new StringBuilder();

        Drawing(double[] values, int width, int height, double top) {
            this.values = values;
            this.width = width;
            this.height = height;
            this.top = top;
        }

        /** Draws part by part: each is all known or all unknown. */
        void draw() {
            for (int from = 0; from < values.length; ) {
                boolean known = !Double.isNaN(values[from]);
                int to = from + 1;
                while (to < values.length && !Double.isNaN(values[to]) == known) {
                    to++;
                }
                if (known) {
                    drawPart(from, to);
                } else {
                    gaps.append('M').append(x(Math.max(0, from - 1)));
                    gaps.append(" 0H").append(x(Math.min(values.length - 1, to)));
                    gaps.append('V').append(height).append('H').append(x(Math.max(0, from - 1)));
                    gaps.append('Z');
                }
                from = to;
            }
        }

        private void drawPart(int from, int to) {
            StringBuilder part = new StringBuilder();
            for (int i = from; i < to; i++) {
                double y = height - 1 - (top == 0 ? 0 : (height - 2) * values[i] / top);
                part.append(i == from ? "M" : "L").append(x(i)).append(' ').append(point(y));
            }
            // A line of no length is a point.
            line.append(part).append(to - from == 1 ? "h0" : "");
            area.append(part).append('V').append(height).append('H').append(x(from));
            area.append('Z');
        }

        private String x(int place) {
            return point((double) width * place / (values.length - 1));
        }

        private static String point(double value) {
            return String.format(Locale.ROOT, "%.1f", value);
        }
    }
}

package io.delayjob.benchmarks.report;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * A bar chart, the bars below each other.
 *
 * @param first where the scale begins; it is logarithmic if that is not 0
 */
record Picture(String title, double first, List<Bar> bars) {

    private static final int LEFT = 230;
    private static final int WIDTH = 400;
    private static final int TOP = 60;
    private static final int STEP = 18;

    /**
     * A bar.
     *
     * @param longest value at which the thin line beyond the bar ends
     * @param text label after the bar and its line
     */
    record Bar(String label, double from, double to, double longest, String text) {}

    /** Renders it as SVG; empty if there are no bars. */
    Optional<String> svg() {
        if (bars.isEmpty()) {
            return Optional.empty();
        }
        double last = last();
        int height = TOP + (bars.size() + 1) * STEP;
        List<?> rows = IntStream.range(0, bars.size())
                .mapToObj(i -> row(bars.get(i), TOP + i * STEP, last))
                .toList();
        return Optional.of(Template.fill(
                "bars.svg", Map.of("title", title, "height", height, "ticks", ticks(last), "rows", rows)));
    }

    private Map<String, ?> row(Bar bar, int y, double last) {
        long x = x(bar.from, last);
        long width = Math.max(1, x(bar.to, last) - x);
        String color = bar.label.matches("(delayjob|nodes).*") ? "#3f8f29" : "#9aa5a0";
        return Map.of("bar", bar, "y", y, "x", x, "width", width, "end", x(bar.longest, last), "color", color);
    }

    private long x(double value, double last) {
        double share = first == 0 ? value / last : Math.log(value / first) / Math.log(last / first);
        return LEFT + Math.round(WIDTH * Math.max(0, share));
    }

    private double last() {
        double largest = bars.stream().mapToDouble(Bar::longest).max().orElseThrow();
        double power = Math.pow(10, Math.floor(Math.log10(largest)));
        return first == 0 ? Math.ceil(largest / power) * power : power * 10;
    }

    /** Where the scale has lines, and the round numbers above them. */
    private List<?> ticks(double last) {
        DoubleStream ticks = first == 0
                ? DoubleStream.of(0, last / 2, last)
                : DoubleStream.iterate(first, tick -> tick <= last * 1.01, tick -> tick * 10);
        DecimalFormat round = new DecimalFormat("#,##0.##", DecimalFormatSymbols.getInstance(Locale.ROOT));
        return ticks.mapToObj(tick -> Map.of("x", x(tick, last), "text", round.format(tick)))
                .toList();
    }
}

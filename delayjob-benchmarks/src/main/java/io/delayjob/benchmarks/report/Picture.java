package io.delayjob.benchmarks.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Bars below each other.
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
     * @param longest where a line beyond its end ends
     * @param text what stands behind it
     */
    record Bar(String label, double from, double to, double longest, String text) {}

    /** As SVG; nothing if there are no bars. */
    Optional<String> svg() {
        if (bars.isEmpty()) {
            return Optional.empty();
        }
        double last = last();
        return Optional.of(Template.fill(
                "bars.svg",
                Map.of(
                        "title",
                        title,
                        "height",
                        TOP + (bars.size() + 1) * STEP,
                        "ticks",
                        ticks(last)
                                .mapToObj(tick -> Map.of("x", x(tick, last), "text", Table.number(tick)))
                                .toList(),
                        "rows",
                        IntStream.range(0, bars.size())
                                .mapToObj(i -> row(bars.get(i), TOP + i * STEP, last))
                                .toList())));
    }

    private Map<String, Object> row(Bar bar, int y, double last) {
        long x = x(bar.from, last);
        return Map.of(
                "label",
                bar.label,
                "text",
                bar.text,
                "y",
                y,
                "x",
                x,
                "width",
                Math.max(1, x(bar.to, last) - x),
                "end",
                x(bar.longest, last),
                "color",
                bar.label.matches("(delayjob|nodes).*") ? "#3f8f29" : "#9aa5a0");
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

    private DoubleStream ticks(double last) {
        return first == 0
                ? DoubleStream.of(0, last / 2, last)
                : DoubleStream.iterate(first, tick -> tick <= last * 1.01, tick -> tick * 10);
    }
}

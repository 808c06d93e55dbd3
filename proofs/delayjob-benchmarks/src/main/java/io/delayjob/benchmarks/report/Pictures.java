package io.delayjob.benchmarks.report;

import io.delayjob.benchmarks.report.Picture.Bar;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The pictures of the page. */
final class Pictures {

    private static final String RATE = "perSecond";
    private static final String P50 = "p50Millis";
    private static final double SMALLEST_MILLIS = 0.1;
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    private Pictures() {}

    /** Pictures for which there are measurements, by file name. */
    static Map<String, String> of(Results results) {
        Map<String, String> pictures = new TreeMap<>();
        Picture burst = new Picture(
                "Jobs per second in a burst, while others wait (logarithmic)",
                1,
                bars(results, "burst", RATE, Pictures::burst));
        Picture lateness = new Picture(
                "Lateness under a steady load: ms from p50 to p99, and a line to the longest (logarithmic)",
                SMALLEST_MILLIS,
                bars(results, "steady", P50, Pictures::lateness));
        Picture scaling = new Picture(
                "Jobs per second in a burst, by nodes and shards on one machine",
                0,
                bars(results, "scaling", RATE, Pictures::scaling));
        Map.of("burst.svg", burst, "lateness.svg", lateness, "scaling.svg", scaling)
                .forEach((file, picture) -> picture.svg().ifPresent(svg -> pictures.put(file, svg)));
        return pictures;
    }

    private static List<Bar> bars(Results results, String workload, String value, Function<Measurement, Bar> bar) {
        return results.of(workload).stream()
                .filter(one -> one.runs(value) > 0)
                .map(bar)
                .toList();
    }

    private static Bar burst(Measurement one) {
        long pending = numbers(one.variant())[0];
        String label = pending == 0 ? one.contender() : "%s, %,d waiting".formatted(one.contender(), pending);
        return rate(one, label);
    }

    private static Bar scaling(Measurement one) {
        long[] nodesAndShards = numbers(one.variant());
        return rate(one, "nodes: %d, shards: %d".formatted(nodesAndShards[0], nodesAndShards[1]));
    }

    private static Bar rate(Measurement one, String label) {
        double rate = one.median(RATE);
        return new Bar(label, 0, rate, rate, Table.number(rate));
    }

    private static Bar lateness(Measurement one) {
        long[] rateAndNodes = numbers(one.variant());
        String label = "%s, %,d/s".formatted(one.contender(), rateAndNodes[0])
                + (rateAndNodes[1] == 1 ? "" : " on " + rateAndNodes[1] + " nodes");
        double p50 = one.median(P50);
        double p99 = one.median("p99Millis");
        return new Bar(label, p50, p99, one.median("maxMillis"), Table.number(p50) + " – " + Table.number(p99));
    }

    private static long[] numbers(String variant) {
        return NUMBER.matcher(variant)
                .results()
                .mapToLong(number -> Long.parseLong(number.group()))
                .toArray();
    }
}

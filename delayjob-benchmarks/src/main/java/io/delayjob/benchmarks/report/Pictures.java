package io.delayjob.benchmarks.report;

import io.delayjob.benchmarks.contender.Histograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The pictures of the page. */
final class Pictures {

    static final String BURST = "burst.png";
    static final String LATENESS = "lateness.png";
    static final String SCALING = "scaling.png";

    private static final String RATE = "perSecond";
    private static final int WIDTH = 760;
    private static final int HEIGHT = 420;
    private static final int DOTS_PER_INCH = 144;
    private static final double SMALLEST_MILLIS = 0.1;
    private static final double STEP = 1.1;
    private static final double RAREST = 12_000;
    private static final String NUMBER = "#,##0.###";

    private final Results results;
    private final Path folder;

    private Pictures(Results results, Path folder) {
        this.results = results;
        this.folder = folder;
    }

    /** Writes those for which there are measurements. */
    static void write(Results results, Path folder) throws IOException {
        Files.createDirectories(folder);
        Pictures pictures = new Pictures(results, folder);
        pictures.burst();
        pictures.lateness();
        pictures.scaling();
    }

    /** Rate of a burst by the number of pending jobs, for each contender. */
    private void burst() throws IOException {
        List<Measurement> bursts = results.of("burst");
        Set<String> variants = new LinkedHashSet<>();
        bursts.stream().filter(one -> one.runs(RATE) > 0).forEach(one -> variants.add(one.variant()));
        Map<String, List<Double>> series = new LinkedHashMap<>();
        bursts.forEach(one -> series.computeIfAbsent(
                one.contender(),
                contender -> variants.stream()
                        .map(variant -> Math.max(
                                1,
                                results.median("burst", contender, variant, RATE)
                                        .orElse(0)))
                        .toList()));
        if (variants.isEmpty()) {
            return;
        }
        CategoryChart chart = bars("Jobs per second in a burst, while others wait", "waiting for a time far away");
        chart.getStyler().setYAxisLogarithmic(true).setYAxisMin(1.0).setYAxisDecimalPattern(NUMBER);
        List<String> labels = variants.stream().map(Pictures::pending).toList();
        series.forEach((contender, rates) -> chart.addSeries(contender, labels, rates));
        write(chart, BURST);
    }

    private static String pending(String variant) {
        return Column.number(Double.parseDouble(variant.substring("pending=".length())));
    }

    /** Lateness by percentile, for each steady load. */
    private void lateness() throws IOException {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title("Lateness under a steady load")
                .xAxisTitle("one of so many jobs is later")
                .yAxisTitle("ms")
                .build();
        // 10 is the 90th percentile, 100 the 99th.
        double[] oneIn = DoubleStream.iterate(1, one -> one * STEP)
                .takeWhile(one -> one < RAREST)
                .toArray();
        for (Measurement one : results.of("steady")) {
            if (one.lateness() != null && isShown(one)) {
                String rate = one.variant().replace("perSecond=", "").replace(" nodes=1", "/s");
                chart.addSeries(one.contender() + ", " + rate, oneIn, millis(Histograms.of(one.lateness()), oneIn))
                        .setMarker(SeriesMarkers.NONE);
            }
        }
        chart.getStyler().setXAxisLogarithmic(true).setXAxisDecimalPattern(NUMBER);
        chart.getStyler().setYAxisLogarithmic(true).setYAxisDecimalPattern(NUMBER);
        write(chart, LATENESS);
    }

    private static double[] millis(Histogram lateness, double[] oneIn) {
        return DoubleStream.of(oneIn)
                .map(one -> lateness.getValueAtPercentile(100 - 100 / one) / 1000.0)
                .map(late -> Math.max(SMALLEST_MILLIS, late))
                .toArray();
    }

    private static boolean isShown(Measurement one) {
        return one.variant().equals("perSecond=1000 nodes=1")
                || (one.contender().equals("delayjob") && one.variant().equals("perSecond=50 nodes=1"))
                || (one.contender().equals("delayjob") && one.variant().equals("perSecond=5000 nodes=1"));
    }

    /** Rate of a burst by nodes, for each number of shards. */
    private void scaling() throws IOException {
        CategoryChart chart = bars("Jobs per second in a burst", "nodes, on one machine");
        Map<Integer, Map<Integer, Double>> rates = new TreeMap<>();
        for (Measurement one : results.of("scaling")) {
            if (one.runs(RATE) > 0) {
                int[] nodesAndShards = numbers(one.variant());
                rates.computeIfAbsent(nodesAndShards[1], shards -> new TreeMap<>())
                        .put(nodesAndShards[0], one.median(RATE).orElseThrow());
            }
        }
        rates.forEach((shards, byNodes) -> chart.addSeries(
                shards == 1 ? "1 shard" : shards + " shards",
                new ArrayList<>(byNodes.keySet()),
                new ArrayList<>(byNodes.values())));
        chart.getStyler().setYAxisMin(0.0);
        write(chart, SCALING);
    }

    private static int[] numbers(String variant) {
        return java.util.regex.Pattern.compile("\\d+")
                .matcher(variant)
                .results()
                .mapToInt(number -> Integer.parseInt(number.group()))
                .toArray();
    }

    /** Rates, by what is said at the x axis. */
    private static CategoryChart bars(String title, String x) {
        return new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(x)
                .yAxisTitle("jobs/s")
                .build();
    }

    private void write(Chart<? extends AxesChartStyler, ?> chart, String file) throws IOException {
        if (!chart.getSeriesMap().isEmpty()) {
            chart.getStyler().setLegendPosition(LegendPosition.OutsideE).setChartBackgroundColor(java.awt.Color.WHITE);
            BitmapEncoder.saveBitmapWithDPI(chart, folder.resolve(file).toString(), BitmapFormat.PNG, DOTS_PER_INCH);
        }
    }
}

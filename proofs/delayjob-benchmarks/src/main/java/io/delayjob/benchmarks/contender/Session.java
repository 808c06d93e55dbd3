package io.delayjob.benchmarks.contender;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Carries out the driver's commands with one contender. */
final class Session {

    private static final int BATCH = 500;
    private static final long STEP_MILLIS = 2;
    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(10);

    private Tallies tallies = new Tallies();
    private @Nullable Contender contender;

    /** Carries out one command. */
    Map<String, Object> answer(JsonNode command) throws Exception {
        String what = command.required("do").stringValue();
        return switch (what) {
            case "open" -> open(command);
            case "consume" -> consume(command);
            case "submit" -> submit(command);
            case "flow" -> flow(command);
            case "await" -> await(command);
            case "report" -> report(command);
            case "close" -> {
                close();
                tallies = new Tallies();
                yield Map.of();
            }
            default -> throw new IllegalArgumentException("no such command: " + what);
        };
    }

    private Map<String, Object> open(JsonNode command) throws Exception {
        ContenderName name = ContenderName.of(command.required("contender").stringValue());
        Map<String, String> options = new HashMap<>();
        command.path("options")
                .properties()
                .forEach(one -> options.put(one.getKey(), one.getValue().asString()));
        Contender opened = open(name, new Store(command.required("store").stringValue()), options);
        contender = opened;
        return Map.of("settings", opened.settings());
    }

    private static Contender open(ContenderName name, Store store, Map<String, String> options) throws Exception {
        for (ContenderProvider provider : ServiceLoader.load(ContenderProvider.class)) {
            Contender opened = provider.open(name, store, options);
            if (opened != null) {
                return opened;
            }
        }
        throw new IllegalStateException(name + " is not on this class path");
    }

    private Contender opened() {
        if (contender == null) {
            throw new IllegalStateException("nothing is open");
        }
        return contender;
    }

    private Map<String, Object> consume(JsonNode command) throws Exception {
        tallies.setWork(
                command.path("workMillis").asLong(0), command.path("failEvery").asInt(0));
        opened().consume(command.required("workers").intValue(), tallies);
        return Map.of();
    }

    private Map<String, Object> submit(JsonNode command) throws Exception {
        JobSeries series = JobSeries.of(command);
        int threads = command.path("threads").asInt(1);
        String mode = command.path("mode").asString("bulk");
        int stride = mode.equals("bulk") ? command.path("batch").asInt(BATCH) : 1;
        Contender submitter = opened();
        long start = System.nanoTime();
        ConcurrentHistogram durations = new ConcurrentHistogram(LONGEST_NANOS, 3);
        Crew crew = Crew.work(threads, series.count(), stride, position -> {
            long begun = System.nanoTime();
            switch (mode) {
                case "single" -> submitter.submit(series.job(position));
                case "schedule" -> submitter.putSchedule(series.job(position));
                default -> submitter.submitAll(series.jobs(position, stride));
            }
            durations.recordValue(Math.min(System.nanoTime() - begun, LONGEST_NANOS));
        });
        double millis = (System.nanoTime() - start) / 1e6;
        return Map.of(
                "elapsedMillis",
                millis,
                "durations",
                Histograms.text(durations),
                "errors",
                crew.errors(),
                "firstError",
                crew.firstError());
    }

    private Map<String, Object> flow(JsonNode command) throws Exception {
        Flow flow = new Flow(
                opened(),
                command.required("prefix").stringValue(),
                command.required("perSecond").intValue(),
                command.required("seconds").intValue(),
                command.path("maxDelayMillis").asLong(0));
        long errors = flow.run(command.path("threads").asInt(1));
        return Map.of("count", flow.count(), "behind", flow.behind(), "errors", errors);
    }

    private Map<String, Object> await(JsonNode command) throws InterruptedException {
        Tally tally = tallies.of(command.required("prefix").stringValue());
        long count = command.required("count").longValue();
        long end = System.nanoTime() + (long) (command.path("seconds").asDouble(0) * 1e9);
        while (tally.distinct() < count && System.nanoTime() < end) {
            Thread.sleep(STEP_MILLIS);
        }
        return Map.of("distinct", tally.distinct());
    }

    private Map<String, Object> report(JsonNode command) {
        Map<String, Object> report = new LinkedHashMap<>(
                tallies.of(command.path("prefix").asString("")).report());
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        report.put("cpuMillis", system.getProcessCpuTime() / 1e6);
        return report;
    }

    private void close() throws Exception {
        if (contender != null) {
            contender.close();
            contender = null;
        }
    }
}

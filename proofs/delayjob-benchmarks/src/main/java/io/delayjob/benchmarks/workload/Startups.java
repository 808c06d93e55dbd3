package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.Program;
import java.util.EnumMap;
import java.util.Map;

/** Programs that start, each with a Redis of its own: how long they take to answer, beside a Spring Boot web application with nothing in it. */
final class Startups {

    private static final String SECONDS = "answersSeconds";

    private Startups() {}

    static void measure(Trial trial) {
        // Reads all jars once, and unpacks the bundled Redis.
        start(trial);
        Map<Program, Notebook> books = new EnumMap<>(Program.class);
        for (Program program : Program.values()) {
            books.put(program, new Notebook(trial.workload(), trial.contender(), "program=" + program, Map.of()));
        }
        for (int turn = 0; turn < trial.size().starts(); turn++) {
            Map<Program, Double> seconds = start(trial);
            double empty = seconds.getOrDefault(Program.EMPTY, Double.NaN);
            books.forEach((program, book) -> book.put(SECONDS, seconds.getOrDefault(program, Double.NaN))
                    .put("timesEmpty", seconds.getOrDefault(program, Double.NaN) / empty));
        }
        books.values().forEach(trial::add);
    }

    /** All of them, one after the other. */
    private static Map<Program, Double> start(Trial trial) {
        Map<Program, Double> seconds = new EnumMap<>(Program.class);
        for (Program program : Program.values()) {
            seconds.put(program, program.secondsToAnswer(trial.log()));
        }
        return seconds;
    }
}

package io.delayjob.benchmarks;

import io.delayjob.benchmarks.driver.Nodes;
import io.delayjob.benchmarks.driver.RedisStore;
import io.delayjob.benchmarks.report.Machine;
import io.delayjob.benchmarks.report.Page;
import io.delayjob.benchmarks.report.Results;
import io.delayjob.benchmarks.workload.Lab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The program: measures and writes the page. Its system properties are {@code benchmarks.workloads} and {@code
 * benchmarks.contenders} (names, separated by commas; all if empty), {@code benchmarks.quick} (smaller sizes), {@code
 * benchmarks.merge} (puts the results into those of the page of the documentation), {@code
 * benchmarks.render} (only writes the page of the results that are there), {@code benchmarks.docs} and {@code benchmarks.out} (where
 * the page of a whole run and that of any other go).
 */
public final class Benchmarks {

    private static final Map<String, String> DEFAULTS =
            Map.of("docs", "docs", "out", "target/performance", "quick", "false", "merge", "false", "render", "false");

    private Benchmarks() {}

    /** Measures and writes the page. */
    public static void main(String[] args) throws IOException {
        Options options = Options.of(Benchmarks::property);
        Files.createDirectories(options.folder());
        Path raw = options.folder().resolve("performance.json");
        if (!options.render()) {
            Results before = options.merge() ? Results.read(raw) : null;
            Results measured = measure(options);
            (before == null ? measured : before.with(measured)).write(raw);
        }
        Page.write(Results.read(raw), options.folder());
        System.out.println(
                "The page is " + options.folder().resolve("performance.md").normalize());
    }

    private static String property(String name) {
        return System.getProperty("benchmarks." + name, DEFAULTS.getOrDefault(name, ""));
    }

    private static Results measure(Options options) throws IOException {
        Path log = Files.createDirectories(Path.of(property("out"))).resolve("contenders.log");
        Files.deleteIfExists(log);
        Lab lab = new Lab(options.size(), Nodes.fresh(log), System.out);
        Map<String, String> environment = Machine.describe();
        environment.put("Redis", redis());
        environment.put("persistence of Redis, unless a section says otherwise", RedisStore.PERSISTENCE);
        environment.put("command", options.command());
        new Suite(lab).run(options.workloads(), options.contenders());
        return new Results(environment, lab.measurements());
    }

    private static String redis() {
        try (RedisStore redis = RedisStore.single()) {
            return redis.version();
        }
    }
}

package io.delayjob.benchmarks.report;

import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The page: its text is in {@code performance.md} beside this class, its numbers are of the results. */
public final class Page {

    private static final String COMMAND = "./mvnw -pl :delayjob-benchmarks -am -Pbenchmarks verify";

    private Page() {}

    /** Writes the page and its pictures into a folder. */
    public static void write(Results results, Path folder) throws IOException {
        Files.writeString(folder.resolve("performance.md"), render(results));
        Path pictures = Files.createDirectories(folder.resolve("images").resolve("performance"));
        for (Map.Entry<String, String> picture : Pictures.of(results).entrySet()) {
            Files.writeString(pictures.resolve(picture.getKey()), picture.getValue());
        }
    }

    static String render(Results results) {
        Map<String, Object> values = new HashMap<>();
        results.measurements().forEach(one -> values.put(one.workload(), true));
        values.put("command", results.environment().getOrDefault("command", COMMAND));
        values.put("environment", results.environment().entrySet());
        values.put("targets", new Targets(results).all());
        values.put("settings", settings(results));
        values.put("table", (Mustache.Lambda) (columns, out) -> out.write(Table.of(results, columns.execute())));
        return Template.fill("performance.md", values)
                        .replaceAll("\n{3,}", "\n\n")
                        .strip() + "\n";
    }

    private static List<String> settings(Results results) {
        return results.measurements().stream()
                .filter(one -> !one.settings().isEmpty())
                .map(one -> new TreeMap<>(one.settings())
                        .entrySet().stream()
                                .map(Object::toString)
                                .collect(Collectors.joining(", ", one.contender() + " | ", "")))
                .distinct()
                .toList();
    }
}

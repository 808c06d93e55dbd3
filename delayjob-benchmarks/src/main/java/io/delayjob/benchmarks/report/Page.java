package io.delayjob.benchmarks.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The page: all of it is made of the results, and of two texts that say how they came about and what they miss. */
public final class Page {

    private static final String HEAD = """
            # Performance

            What delayjob does beside its alternatives, all measured in one run. This page is written by the program that
            measures; `%s` repeats it.

            """;

    private Page() {}

    /** Writes the page and its pictures into a folder. */
    public static void write(Results results, Path folder) throws IOException {
        Files.writeString(folder.resolve("performance.md"), render(results));
        Pictures.write(results, folder.resolve("images").resolve("performance"));
    }

    static String render(Results results) throws IOException {
        StringBuilder page = new StringBuilder(HEAD.formatted(results.environment()
                .getOrDefault("command", "./mvnw -pl delayjob-benchmarks -am -Pbenchmarks verify")));
        page.append(environment(results)).append(targets(results)).append(text("missed.md"));
        Sections.ALL.forEach(section -> page.append(section.render(results)).append('\n'));
        page.append(Sections.COST.render(results)).append('\n').append(text("method.md"));
        return page.append(settings(results))
                        .toString()
                        .replaceAll("\n{3,}", "\n\n")
                        .stripTrailing() + "\n";
    }

    private static String environment(Results results) {
        return results.environment().entrySet().stream()
                .map(one -> "| %s | %s |\n".formatted(one.getKey(), one.getValue()))
                .collect(Collectors.joining("", "| | |\n|---|---|\n", "\n"));
    }

    private static String targets(Results results) {
        return new Targets(results)
                .all().stream()
                        .map(Target::line)
                        .collect(Collectors.joining(
                                "", "## Targets\n\n| | target | measured | |\n|---|---:|---:|---|\n", "\n"));
    }

    private static String settings(Results results) {
        return results.measurements().stream()
                .filter(one -> !one.settings().isEmpty())
                .map(one -> "| %s | %s |\n"
                        .formatted(
                                one.contender(),
                                new TreeMap<>(one.settings())
                                        .entrySet().stream()
                                                .map(setting -> "%s=%s".formatted(setting.getKey(), setting.getValue()))
                                                .collect(Collectors.joining(", "))))
                .distinct()
                .collect(Collectors.joining("", "\n## Settings\n\n| | |\n|---|---|\n", ""));
    }

    private static String text(String name) throws IOException {
        try (InputStream text = Page.class.getResourceAsStream(name)) {
            return new String(Objects.requireNonNull(text, name).readAllBytes(), UTF_8);
        }
    }
}

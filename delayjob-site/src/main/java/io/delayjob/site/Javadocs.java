package io.delayjob.site;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The Javadoc of what is published, all modules in one. */
final class Javadocs {

    private static final List<String> MODULES =
            List.of("delayjob-api", "delayjob-spring-boot", "delayjob-redisson", "delayjob-modulith", "delayjob-test");

    private Javadocs() {}

    static void write(Path root, Path folder) throws IOException {
        List<Path> sources = MODULES.stream()
                .map(module -> root.resolve(module).resolve("src/main/java"))
                .toList();
        List<String> arguments =
                new ArrayList<>(List.of("-quiet", "-Xdoclint:none", "-notimestamp", "-encoding", "UTF-8"));
        arguments.addAll(List.of(
                "-sourcepath", sources.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator))));
        arguments.addAll(List.of("-classpath", System.getProperty("java.class.path")));
        arguments.addAll(List.of("-windowtitle", "delayjob", "-doctitle", "delayjob", "-d", folder.toString()));
        for (Path source : sources) {
            arguments.addAll(packages(source));
        }
        int failed = ToolProvider.findFirst("javadoc")
                .orElseThrow(() -> new IllegalStateException("this JDK has no javadoc tool"))
                .run(System.out, System.err, arguments.toArray(String[]::new));
        if (failed != 0) {
            throw new IllegalStateException("javadoc failed with " + failed);
        }
    }

    /** Those that are for users. */
    private static List<String> packages(Path source) throws IOException {
        try (Stream<Path> files = Files.walk(source)) {
            return files.filter(file -> file.endsWith("package-info.java"))
                    .map(file -> source.relativize(file.getParent()).toString().replace(File.separatorChar, '.'))
                    .filter(name -> !name.matches(".*\\.internal\\b.*"))
                    .toList();
        }
    }
}

package io.delayjob.site;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;

/** The Javadoc of what is published, all modules in one. */
final class Javadocs {

    private static final List<String> MODULES =
            List.of("delayjob-api", "delayjob-redisson", "delayjob-modulith", "delayjob-test");
    private static final String INTERNAL = "io.delayjob.internal:io.delayjob.redisson.internal";

    private Javadocs() {}

    static void write(Path root, Path folder) {
        List<String> sources = MODULES.stream()
                .map(module -> root.resolve(module).resolve("src/main/java"))
                .filter(Files::isDirectory)
                .map(Path::toString)
                .toList();
        List<String> arguments =
                new ArrayList<>(List.of("-quiet", "-Xdoclint:none", "-notimestamp", "-encoding", "UTF-8"));
        arguments.addAll(List.of("-sourcepath", String.join(File.pathSeparator, sources)));
        arguments.addAll(List.of("-classpath", System.getProperty("java.class.path")));
        arguments.addAll(List.of("-subpackages", "io.delayjob", "-exclude", INTERNAL));
        arguments.addAll(List.of("-windowtitle", "delayjob", "-doctitle", "delayjob", "-d", folder.toString()));
        int failed = ToolProvider.findFirst("javadoc")
                .orElseThrow(() -> new IllegalStateException("this JDK has no javadoc tool"))
                .run(System.out, System.err, arguments.toArray(String[]::new));
        if (failed != 0) {
            throw new IllegalStateException("javadoc failed with " + failed);
        }
    }
}

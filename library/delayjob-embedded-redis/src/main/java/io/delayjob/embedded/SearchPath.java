package io.delayjob.embedded;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The folders in which programs are looked for. */
record SearchPath(List<Path> folders) {
    private static final String SUFFIX = File.separatorChar == '\\' ? ".exe" : "";

    static SearchPath ofSystem() {
        String path = System.getenv().getOrDefault("PATH", "");
        return new SearchPath(Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(path)
                .filter(entry -> !entry.isBlank())
                .map(Path::of)
                .toList());
    }

    Stream<Path> find(String program) {
        return folders.stream()
                .map(folder -> folder.resolve(program + SUFFIX))
                .filter(Files::isRegularFile)
                .filter(Files::isExecutable);
    }
}

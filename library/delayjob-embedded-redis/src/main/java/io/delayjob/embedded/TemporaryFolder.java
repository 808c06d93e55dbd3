package io.delayjob.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes and deletes the folders of temporary servers. */
final class TemporaryFolder {
    private static final Logger log = LoggerFactory.getLogger(TemporaryFolder.class);

    private TemporaryFolder() {}

    static Path create() {
        try {
            return Files.createTempDirectory("delayjob-redis-").toRealPath();
        } catch (IOException e) {
            throw new EmbeddedRedisException("A temporary folder cannot be created: " + e, e);
        }
    }

    static void delete(Path folder) {
        try {
            for (Path path : contents(folder)) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            log.warn("Temporary folder {} cannot be deleted: {}", folder, e.toString());
        }
    }

    // Children before their parents.
    private static List<Path> contents(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.sorted(Comparator.reverseOrder()).toList();
        }
    }
}

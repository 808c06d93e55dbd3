package io.delayjob.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses the server program: the first usable one on the search path, else the bundled one. */
record ExecutableFinder(SearchPath searchPath, BundledExecutable bundled) {
    private static final Logger log = LoggerFactory.getLogger(ExecutableFinder.class);
    private static final List<String> PROGRAMS = List.of("redis-server", "valkey-server");

    static ExecutableFinder standard() {
        return new ExecutableFinder(SearchPath.ofSystem(), BundledExecutable.forThisMachine());
    }

    /** The given folder takes the bundled program where the user's cache cannot be written. */
    RedisExecutable find(Path folder) {
        List<String> rejected = new ArrayList<>();
        RedisExecutable found =
                onSearchPath(rejected).or(() -> bundled(folder, rejected)).orElseThrow(() -> nothingFits(rejected));
        log.info("Redis executable: {}, version {}", found.path(), found.version());
        return found;
    }

    private Optional<RedisExecutable> onSearchPath(List<String> rejected) {
        List<Path> candidates = PROGRAMS.stream().flatMap(searchPath::find).toList();
        if (candidates.isEmpty()) {
            rejected.add(String.join(", ", PROGRAMS) + " on the PATH: not there");
        }
        return candidates.stream()
                .flatMap(candidate -> usable(candidate, rejected))
                .findFirst();
    }

    private Optional<RedisExecutable> bundled(Path folder, List<String> rejected) {
        try {
            return usable(bundled.unpack(folder), rejected).findFirst();
        } catch (IOException e) {
            rejected.add("bundled server: " + e.getMessage());
            return Optional.empty();
        }
    }

    private static Stream<RedisExecutable> usable(Path candidate, List<String> rejected) {
        try {
            return Stream.of(RedisExecutable.probe(candidate));
        } catch (IOException e) {
            log.info("Redis executable {} is not used: {}", candidate, e.getMessage());
            rejected.add(candidate + ": " + e.getMessage());
            return Stream.empty();
        }
    }

    private static EmbeddedRedisException nothingFits(List<String> rejected) {
        return EmbeddedRedisException.withAdvice(rejected.stream()
                .map(reason -> System.lineSeparator() + "  " + reason)
                .collect(Collectors.joining("", "No Redis server fits this machine. Tried:", "")));
    }
}

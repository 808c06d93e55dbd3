package io.delayjob.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundledExecutableIT {
    @TempDir
    private Path cache;

    @TempDir
    private Path folder;

    @Test
    void runsWhereThePathHoldsNoServer() throws IOException {
        try (EmbeddedRedis redis = EmbeddedRedis.startOrReuse(folder, bundledOnly())) {
            assertThat(redis.description()).contains("Redis 6.2.", cache.toString());
            RedisCall.call(redis.url(), "SET", "key", "kept");
        }
        try (EmbeddedRedis redis = EmbeddedRedis.startOrReuse(folder, bundledOnly())) {
            assertThat(RedisCall.call(redis.url(), "GET", "key")).isEqualTo("kept");
        }
    }

    @Test
    void isUnpackedOnceAlsoByManyAtOnce() throws IOException {
        List<Path> unpacked = IntStream.range(0, 4)
                .parallel()
                .mapToObj(i -> unpack())
                .distinct()
                .toList();
        assertThat(unpacked).hasSize(1);
        FileTime old = FileTime.from(Instant.EPOCH);
        Files.setLastModifiedTime(unpacked.get(0), old);
        assertThat(Files.getLastModifiedTime(unpack())).isEqualTo(old);
        try (Stream<Path> files = Files.list(cache)) {
            assertThat(files).containsExactlyElementsOf(unpacked);
        }
    }

    @Test
    void aDamagedCopyIsReplaced() throws IOException {
        Path program = unpack();
        Files.writeString(program, "half");
        assertThat(unpack()).isEqualTo(program).isExecutable();
        assertThat(Files.size(program)).isGreaterThan(1_000_000);
    }

    @Test
    void isUnpackedIntoTheServersFolderWhereTheCacheCannotBeWritten() throws IOException {
        Path notAFolder = Files.writeString(cache.resolve("file"), "");
        BundledExecutable bundled =
                new BundledExecutable(BundledExecutable.forThisMachine().resource(), notAFolder);
        assertThat(bundled.unpack(folder)).hasParent(folder).isExecutable();
    }

    @Test
    void refusesDataOfANewerRedisRatherThanStartingEmpty() throws IOException {
        Files.createDirectory(folder.resolve("appendonlydir"));
        ExecutableFinder finder = bundledOnly();
        assertThatThrownBy(() -> EmbeddedRedis.startOrReuse(folder, finder))
                .isInstanceOf(EmbeddedRedisException.class)
                .hasMessageContainingAll("written by Redis 7 or newer", "6.2.");
    }

    private ExecutableFinder bundledOnly() {
        return new ExecutableFinder(new SearchPath(List.of()), bundled());
    }

    private BundledExecutable bundled() {
        return new BundledExecutable(BundledExecutable.forThisMachine().resource(), cache);
    }

    private Path unpack() {
        try {
            return bundled().unpack(folder);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}

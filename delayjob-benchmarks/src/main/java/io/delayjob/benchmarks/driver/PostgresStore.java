package io.delayjob.benchmarks.driver;

import io.delayjob.benchmarks.contender.Store;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL of its own on the loopback interface, unpacked from a binary on Maven Central. It is as durable as a PostgreSQL is
 * by default: every commit waits for the disk. It does not count what it does.
 */
final class PostgresStore implements RunningStore {

    private final Path folder;
    private final EmbeddedPostgres postgres;

    private PostgresStore(Path folder, EmbeddedPostgres postgres) {
        this.folder = folder;
        this.postgres = postgres;
    }

    /** Whether one can be started; tried once. */
    private static final class FirstTry {

        static final Optional<String> OBSTACLE = obstacle();

        private static Optional<String> obstacle() {
            try {
                start().close();
                return Optional.empty();
            } catch (IllegalStateException | UncheckedIOException e) {
                return Optional.of("no PostgreSQL can be run: " + e.getMessage());
            }
        }
    }

    /** Why none can be started on this machine; nothing if it can. */
    static Optional<String> obstacle() {
        return FirstTry.OBSTACLE;
    }

    /** Starts one; it ends with this JVM if it is not closed before. */
    static PostgresStore start() {
        try {
            // Not a shared folder: one in which unpacking was interrupted would stay broken.
            Path folder = Files.createTempDirectory("benchmarks-postgresql");
            return new PostgresStore(folder, start(folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static EmbeddedPostgres start(Path folder) throws IOException {
        try {
            return EmbeddedPostgres.builder()
                    .setOverrideWorkingDirectory(folder.toFile())
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .start();
        } catch (IOException | IllegalStateException e) {
            FileSystemUtils.deleteRecursively(folder);
            throw e;
        }
    }

    @Override
    public Store store() {
        return new Store(postgres.getJdbcUrl("postgres", "postgres"));
    }

    @Override
    public Meter meter() {
        return Meter.NOTHING;
    }

    @Override
    public void close() {
        try {
            postgres.close();
            FileSystemUtils.deleteRecursively(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

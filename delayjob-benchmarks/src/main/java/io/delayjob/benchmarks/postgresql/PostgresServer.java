package io.delayjob.benchmarks.postgresql;

import io.delayjob.benchmarks.contender.Store;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL of its own on the loopback interface, unpacked from a binary on Maven Central. It is as
 * durable as a PostgreSQL is by default: every commit waits for the disk.
 */
public final class PostgresServer implements AutoCloseable {

    private final Path folder;
    private final EmbeddedPostgres postgres;

    private PostgresServer(Path folder) throws IOException {
        this.folder = folder;
        // A folder of its own, because one that is shared stays broken for ever when unpacking is interrupted once.
        this.postgres = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(folder.toFile())
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
    }

    /**
     * Starts one; it ends with this JVM if it is not closed before.
     *
     * @throws PostgresUnavailableException if this machine cannot run it
     */
    public static PostgresServer start() {
        try {
            return new PostgresServer(Files.createTempDirectory("benchmarks-postgresql"));
        } catch (IOException | IllegalStateException e) {
            throw new PostgresUnavailableException(e);
        }
    }

    /** Where it listens. */
    public Store store() {
        return new Store(postgres.getJdbcUrl("postgres", "postgres"));
    }

    @Override
    public void close() {
        try {
            postgres.close();
            FileSystemUtils.deleteRecursively(folder);
        } catch (IOException e) {
            throw new PostgresUnavailableException(e);
        }
    }
}

package io.delayjob.benchmarks.driver;

import io.delayjob.benchmarks.contender.Store;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL of its own on the loopback interface, unpacked from a binary on Maven Central. It is as durable as a PostgreSQL is
 * by default: every commit waits for the disk. It does not count what it does. With the system property {@code benchmarks.one-postgresql},
 * for numbers that mean nothing, it is a database of a server that all share.
 */
final class PostgresStore implements RunningStore {

    private static final boolean ONE = Boolean.getBoolean("benchmarks.one-postgresql");

    private final EmbeddedPostgres postgres;
    private final String database;

    private PostgresStore(EmbeddedPostgres postgres, String database) {
        this.postgres = postgres;
        this.database = database;
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

    /**
     * The folder of the unpacked binary, one for this JVM: the library remembers where it has unpacked it, also for servers that start while another
     * one ends. Not one of several JVMs: a folder in which unpacking was interrupted would stay broken.
     */
    private static final class Binary {

        static final File FOLDER = folder();

        private static File folder() {
            try {
                File folder = Files.createTempDirectory("benchmarks-postgresql").toFile();
                Runtime.getRuntime().addShutdownHook(new Thread(() -> FileSystemUtils.deleteRecursively(folder)));
                return folder;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The one that all share. */
    private static final class Shared {

        static final EmbeddedPostgres SERVER = server();
        static final AtomicInteger DATABASES = new AtomicInteger();
    }

    /** Starts one; it ends with this JVM if it is not closed before. */
    static PostgresStore start() {
        if (!ONE) {
            return new PostgresStore(server(), "postgres");
        }
        String database = "store" + Shared.DATABASES.incrementAndGet();
        JdbcClient.create(Shared.SERVER.getPostgresDatabase())
                .sql("CREATE DATABASE " + database)
                .update();
        return new PostgresStore(Shared.SERVER, database);
    }

    private static EmbeddedPostgres server() {
        try {
            return EmbeddedPostgres.builder()
                    .setOverrideWorkingDirectory(Binary.FOLDER)
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Store store() {
        return new Store(postgres.getJdbcUrl("postgres", database));
    }

    @Override
    public Meter meter() {
        return Meter.NOTHING;
    }

    @Override
    public void close() {
        if (ONE) {
            return;
        }
        try {
            postgres.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

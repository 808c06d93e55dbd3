package io.delayjob.reliability.harness;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.FileSystemUtils;

/** One PostgreSQL for all tests of this JVM; each stage has a database of its own in it. */
final class Postgres {

    private static final EmbeddedPostgres SERVER = start();

    private Postgres() {}

    private static EmbeddedPostgres start() {
        try {
            // Not a shared folder: one in which unpacking was interrupted would stay broken.
            Path folder = Files.createTempDirectory("reliability-postgresql");
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setOverrideWorkingDirectory(folder.toFile())
                    .setServerConfig("max_connections", "300")
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, folder)));
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void stop(EmbeddedPostgres server, Path folder) {
        try {
            server.close();
            FileSystemUtils.deleteRecursively(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An empty database; answers its name. */
    static String fresh() {
        String name = "t" + UUID.randomUUID().toString().replace("-", "");
        in("postgres").execute("CREATE DATABASE " + name);
        return name;
    }

    /** An empty database with a table for orders; answers its name. */
    static String freshWithOrders() {
        String name = fresh();
        in(name).execute("CREATE TABLE orders (id VARCHAR(64) PRIMARY KEY)");
        return name;
    }

    /** The properties, as {@code name=value}, of an application whose journal is in a database. */
    static List<String> journal(String database) {
        return List.of(
                "spring.autoconfigure.exclude=",
                "spring.datasource.url=" + SERVER.getJdbcUrl("postgres", database),
                "delayjob.journal.mode=transactional");
    }

    static JdbcTemplate in(String database) {
        return new JdbcTemplate(SERVER.getDatabase("postgres", database));
    }
}

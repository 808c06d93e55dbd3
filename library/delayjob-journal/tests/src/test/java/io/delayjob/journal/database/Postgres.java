package io.delayjob.journal.database;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One PostgreSQL for all tests of this JVM. */
final class Postgres {

    private static final EmbeddedPostgres SERVER = start();

    private Postgres() {}

    private static EmbeddedPostgres start() {
        try {
            // Not a shared folder: one in which unpacking was interrupted would stay broken.
            Path folder = Files.createTempDirectory("journal-postgresql");
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
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        TestDatabase.deleted(folder);
    }

    static String fresh(String name) {
        return copy("template1", name);
    }

    /** Makes a copy of a database to which nobody is connected. */
    static String copy(String of, String name) {
        TestDatabase.execute(SERVER.getJdbcUrl("postgres", "postgres"), "CREATE DATABASE " + name + " TEMPLATE " + of);
        return SERVER.getJdbcUrl("postgres", name);
    }
}

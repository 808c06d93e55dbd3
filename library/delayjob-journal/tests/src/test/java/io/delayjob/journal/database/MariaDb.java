package io.delayjob.journal.database;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** One MariaDB for all tests of this JVM, where it is installed. */
final class MariaDb {

    private static final Optional<Path> INSTALLER = onPath("mariadb-install-db");
    private static final Optional<Path> SERVER = onPath("mariadbd");

    private MariaDb() {}

    /** Started at the first use. */
    private static final class Running {

        static final String URL = start();
    }

    private static Optional<Path> onPath(String name) {
        return Stream.concat(
                        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)),
                        // Debian's daemons are there, and a user's PATH may leave it out.
                        Stream.of("/usr/sbin"))
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }

    private static String start() {
        try {
            Path folder = Files.createTempDirectory("journal-mariadb");
            int port = freePort();
            String user = "--user=" + System.getProperty("user.name");
            String data = "--datadir=" + folder.resolve("data");
            run(
                            folder,
                            INSTALLER.orElseThrow().toString(),
                            "--no-defaults",
                            user,
                            data,
                            "--auth-root-authentication-method=normal")
                    .waitFor();
            Process server = run(
                    folder,
                    SERVER.orElseThrow().toString(),
                    "--no-defaults",
                    user,
                    data,
                    "--port=" + port,
                    "--socket=" + folder.resolve("socket"),
                    "--bind-address=127.0.0.1",
                    "--skip-grant-tables",
                    "--innodb-flush-log-at-trx-commit=0",
                    "--max-connections=300");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, folder)));
            String url = "jdbc:mariadb://127.0.0.1:" + port + "/";
            await().until(() -> answers(url));
            return url;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean answers(String url) {
        try (Connection connection = DriverManager.getConnection(url + "mysql?user=root")) {
            return connection.isValid(1);
        } catch (java.sql.SQLException e) {
            return false;
        }
    }

    private static Process run(Path folder, String... command) throws IOException {
        ProcessBuilder process = new ProcessBuilder(List.of(command));
        // A zone with summer time, which no clock of the journal may follow.
        process.environment().put("TZ", "Europe/Berlin");
        return process.redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
    }

    private static void stop(Process server, Path folder) {
        server.destroy();
        server.onExit().join();
        TestDatabase.deleted(folder);
    }

    static boolean isInstalled() {
        return INSTALLER.isPresent() && SERVER.isPresent();
    }

    /** Skips a test where MariaDB is not installed. */
    static void assumeInstalled() {
        assumeTrue(
                isInstalled(),
                "no mariadbd and mariadb-install-db on the PATH. On Debian: apt-get install mariadb-server");
    }

    /** Makes an empty database; skips the test where MariaDB is not installed. */
    static String fresh(String name) {
        assumeInstalled();
        TestDatabase.execute(Running.URL + "mysql?user=root", "CREATE DATABASE " + name);
        return Running.URL + name + "?user=root";
    }
}

package io.delayjob.journal.database;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.journal.internal.tables.Dialect;
import io.delayjob.journal.internal.tables.Schema;
import io.delayjob.testing.Variants;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.FileSystemUtils;

/**
 * A kind of database that the tests run on. Each {@link #fresh()} is an empty one.
 *
 * @param name its name in the names of tests
 * @param urls makes an empty database of a name, and answers its URL
 */
public record TestDatabase(String name, Function<String, String> urls) {

    private static final Path FILES = temporary();

    /** The databases of this build: H2 in memory, or with the profile {@code proofs} all others that are there. */
    public static Stream<TestDatabase> variants() {
        return Variants.of(H2_MEMORY, List.of(H2_FILE, POSTGRESQL, MARIADB))
                .filter(database -> database != MARIADB || MariaDb.isInstalled());
    }

    /** H2 in memory. */
    public static final TestDatabase H2_MEMORY =
            new TestDatabase("H2 in memory", name -> "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");

    /** H2 in a file. */
    public static final TestDatabase H2_FILE =
            new TestDatabase("H2 in a file", name -> "jdbc:h2:file:" + FILES.resolve(name));

    /** PostgreSQL from the binaries of Maven. */
    public static final TestDatabase POSTGRESQL = new TestDatabase("PostgreSQL", Postgres::fresh);

    /** MariaDB, or MySQL, from the PATH; tests are skipped where there is none. */
    public static final TestDatabase MARIADB = new TestDatabase("MariaDB", MariaDb::fresh);

    private static Path temporary() {
        try {
            Path folder = Files.createTempDirectory("journal-h2");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> deleted(folder)));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void deleted(Path folder) {
        try {
            FileSystemUtils.deleteRecursively(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A pool of connections to an empty database. */
    public HikariDataSource fresh() {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(freshUrl());
        pool.setMaximumPoolSize(8);
        return pool;
    }

    /** A pool of connections to a database that has nothing but the journal's tables. */
    public HikariDataSource prepared() {
        HikariDataSource pool = fresh();
        new Schema(pool, Dialect.of(pool), true).prepare();
        return pool;
    }

    /** The URL of an empty database. */
    public String freshUrl() {
        return urls.apply("t" + UUID.randomUUID().toString().replace("-", ""));
    }

    static void execute(String url, String sql) {
        try {
            new JdbcTemplate(new org.springframework.jdbc.datasource.SingleConnectionDataSource(
                            java.sql.DriverManager.getConnection(url), true))
                    .execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}

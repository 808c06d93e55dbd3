package io.delayjob.journal.database;

import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.journal.internal.tables.Dialect;
import io.delayjob.journal.internal.tables.Schema;
import io.delayjob.testing.Variants;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
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
        return pool(freshUrl());
    }

    private static HikariDataSource pool(String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(8);
        pool.setMinimumIdle(1);
        return pool;
    }

    /** A pool of connections to a database that has nothing but the journal's tables; copies of the first one where that is quick. */
    public HikariDataSource prepared() {
        if (equals(POSTGRESQL)) {
            return pool(Postgres.copy(PreparedPostgres.NAME, freshName()));
        }
        if (equals(H2_MEMORY)) {
            HikariDataSource pool = fresh();
            new JdbcTemplate(pool).execute(PreparedH2.SCRIPT);
            return pool;
        }
        return migrated(freshUrl());
    }

    private static HikariDataSource migrated(String url) {
        HikariDataSource pool = pool(url);
        new Schema(pool, Dialect.of(pool), true).prepare();
        return pool;
    }

    /** The PostgreSQL database that others are copies of. */
    private static final class PreparedPostgres {

        static final String NAME = freshName();

        static {
            migrated(Postgres.fresh(NAME)).close();
        }
    }

    /** What makes the same tables in H2. */
    private static final class PreparedH2 {

        static final String SCRIPT = script();

        private static String script() {
            try (HikariDataSource pool = migrated(H2_MEMORY.freshUrl())) {
                return new JdbcTemplate(pool)
                        .queryForList("SCRIPT", String.class).stream()
                                .filter(sql -> !sql.startsWith("CREATE USER"))
                                .collect(Collectors.joining("\n"));
            }
        }
    }

    private static String freshName() {
        return "t" + UUID.randomUUID().toString().replace("-", "");
    }

    /** The URL of an empty database. */
    public String freshUrl() {
        return urls.apply(freshName());
    }

    static void execute(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url)) {
            new JdbcTemplate(new SingleConnectionDataSource(connection, true)).execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}

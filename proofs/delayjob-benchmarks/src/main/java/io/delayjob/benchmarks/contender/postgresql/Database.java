package io.delayjob.benchmarks.contender.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.benchmarks.contender.Store;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/** The connections of a scheduler to its database. */
final class Database implements AutoCloseable {

    private static final int CONNECTIONS = 20;
    private static final List<String> SETTINGS =
            List.of("server_version", "fsync", "synchronous_commit", "shared_buffers");

    private final HikariDataSource pool;
    private final Map<String, String> settings = new TreeMap<>();

    Database(Store store, Class<?> ofScheduler) throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(store.url());
        config.setMaximumPoolSize(CONNECTIONS);
        // Batches of inserts become inserts of many rows.
        config.addDataSourceProperty("reWriteBatchedInserts", "true");
        this.pool = new HikariDataSource(config);
        settings.put("release", release(ofScheduler));
        settings.put("connections", Integer.toString(CONNECTIONS));
        settings.put("reWriteBatchedInserts", "true");
        askServer();
    }

    DataSource dataSource() {
        return pool;
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private void askServer() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String name : SETTINGS) {
                settings.put("postgresql." + name, show(statement, name));
            }
        }
    }

    /** The release of the scheduler, and the settings of its connections and of the server; the caller may add to them. */
    Map<String, String> settings() {
        return new TreeMap<>(settings);
    }

    private static String show(Statement statement, String name) throws SQLException {
        try (ResultSet row = statement.executeQuery("SHOW " + name)) {
            row.next();
            return row.getString(1);
        }
    }

    private static String release(Class<?> ofScheduler) {
        String jar =
                ofScheduler.getProtectionDomain().getCodeSource().getLocation().getPath();
        return Path.of(jar).getFileName().toString().replace(".jar", "");
    }

    @Override
    public void close() {
        pool.close();
    }
}

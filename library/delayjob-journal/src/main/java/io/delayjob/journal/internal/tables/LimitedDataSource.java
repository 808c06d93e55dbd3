package io.delayjob.journal.internal.tables;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Gives connections of another DataSource whose calls fail if the database does not answer within a time: a thread of the journal that a
 * database holds for ever would hold up its shards. When such a connection is closed, it has the limit that it came with. Drivers that know no
 * limit, such as that of H2, are left alone.
 */
final class LimitedDataSource extends DelegatingDataSource {

    private static final Logger log = LoggerFactory.getLogger(LimitedDataSource.class);

    private final int limitMillis;

    LimitedDataSource(DataSource source, Duration limit) {
        super(source);
        this.limitMillis = Math.toIntExact(limit.toMillis());
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        Integer before = limit(connection);
        return before == null ? connection : restoring(connection, before);
    }

    /** Sets the limit; answers the one before, or null if nothing was changed. */
    private @Nullable Integer limit(Connection connection) {
        try {
            int before = connection.getNetworkTimeout();
            if (before > 0 && before <= limitMillis) {
                return null;
            }
            connection.setNetworkTimeout(Runnable::run, limitMillis);
            return before;
        } catch (SQLException | AbstractMethodError e) {
            log.debug("calls of the journal to its database have no time limit", e);
            return null;
        }
    }

    private static Connection restoring(Connection connection, int before) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, values) -> {
                    if (method.getName().equals("close")) {
                        restore(connection, before);
                    }
                    return call(connection, method, values);
                });
    }

    private static void restore(Connection connection, int before) {
        try {
            if (!connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, before);
            }
        } catch (SQLException e) {
            log.debug("a broken connection keeps its limit", e);
        }
    }

    private static @Nullable Object call(Connection connection, Method method, @Nullable Object @Nullable [] values)
            throws Throwable {
        try {
            return method.invoke(connection, values);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}

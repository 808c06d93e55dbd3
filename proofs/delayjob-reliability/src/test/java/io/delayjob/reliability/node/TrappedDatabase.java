package io.delayjob.reliability.node;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * The node's database, with a {@link Trap} before and after the commits of the node and of its journal. What a transaction is for is told
 * from its statements, so that the journal is as its users have it.
 */
public final class TrappedDatabase extends DelegatingDataSource {

    /** Where a step of a journaled job can be held. */
    public enum Point {
        /** An order and its job are rows of a transaction. */
        BEFORE_COMMIT,
        /** The transaction has committed, and Redis has not been asked to store the job. */
        AFTER_COMMIT,
        /** A node is about to bring jobs to Redis that their own node did not bring. */
        BEFORE_RELAY,
        /** Redis has these jobs, and the relay has not committed. */
        AFTER_RELAY,
        /** A transaction of the database has written what Redis logged, and has not committed. */
        BEFORE_WRITE,
        /** That transaction has committed, and Redis has not been told. */
        AFTER_WRITE
    }

    private final Trap trap;

    TrappedDatabase(DataSource database, Trap trap) {
        super(database);
        this.trap = trap;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        return (Connection) Proxy.newProxyInstance(
                TrappedDatabase.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new Watched(connection)::call);
    }

    /** A connection. Used by one thread at a time. */
    private final class Watched {

        private final Connection connection;
        private boolean orders;
        private boolean relays;
        private boolean writes;

        Watched(Connection connection) {
            this.connection = connection;
        }

        Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
            try {
                return switch (method.getName()) {
                    case "prepareStatement" -> {
                        look(String.valueOf(arguments[0]));
                        yield method.invoke(connection, arguments);
                    }
                    case "commit" -> commit();
                    case "rollback" -> {
                        forget();
                        yield method.invoke(connection, arguments);
                    }
                    default -> method.invoke(connection, arguments);
                };
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }

        private void look(String sql) {
            orders |= sql.startsWith("INSERT INTO orders");
            writes |= sql.startsWith("INSERT INTO delayjob_flow");
            if (sql.contains("body") && sql.contains("relay_at IS NOT NULL ORDER BY relay_at")) {
                relays = true;
                pass(Point.BEFORE_RELAY);
            }
        }

        private Object commit() throws SQLException {
            boolean ofOrder = orders;
            boolean ofWriter = writes;
            if (ofOrder) {
                pass(Point.BEFORE_COMMIT);
            }
            if (relays) {
                pass(Point.AFTER_RELAY);
            }
            if (ofWriter) {
                pass(Point.BEFORE_WRITE);
            }
            forget();
            connection.commit();
            if (ofOrder) {
                pass(Point.AFTER_COMMIT);
            }
            if (ofWriter) {
                pass(Point.AFTER_WRITE);
            }
            return Void.TYPE;
        }

        private void forget() {
            orders = false;
            relays = false;
            writes = false;
        }

        private void pass(Point point) {
            trap.pass(point, point.name(), 0);
        }
    }
}

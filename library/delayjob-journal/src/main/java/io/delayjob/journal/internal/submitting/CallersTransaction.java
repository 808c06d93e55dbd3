package io.delayjob.journal.internal.submitting;

import io.delayjob.journal.internal.tables.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.ResourceHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The Spring transaction of the calling thread, as one that jobs can be rows of. */
final class CallersTransaction {

    private final Database database;
    private final Supplier<Map<String, DataSource>> sources;

    /**
     * Transactions of a database.
     *
     * @param sources all DataSources by the names of their beans, for messages
     */
    CallersTransaction(Database database, Supplier<Map<String, DataSource>> sources) {
        this.database = database;
        this.sources = sources;
    }

    /** Whether the thread has a transaction, of whatever kind. */
    static boolean isActive() {
        return TransactionSynchronizationManager.isActualTransactionActive();
    }

    /**
     * Checks that the thread's transaction can take rows of the journal.
     *
     * @throws IllegalStateException if not; the message says why, and what to do
     */
    void check(String queue) {
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new IllegalStateException("a submit to queue '" + queue + "' is written to the journal, and "
                    + named() + " is read-only: " + remedy(queue, "submit in a transaction that may write"));
        }
        if (!isOurs()) {
            throw new IllegalStateException("a submit to queue '" + queue
                    + "' must commit with the transaction it is made in, but " + named() + others()
                    + " is not one of the journal's DataSource '" + database.name() + "': "
                    + remedy(queue, "submit in a transaction of '" + database.name() + "'"));
        }
    }

    private static String remedy(String queue, String first) {
        return first + ", or outside of any (propagation NOT_SUPPORTED), or set delayjob.queues." + queue
                + ".journal.mode=off";
    }

    private static String named() {
        String name = TransactionSynchronizationManager.getCurrentTransactionName();
        return name == null ? "the transaction of this thread" : "transaction " + name;
    }

    private String others() {
        List<String> names = sources.get().entrySet().stream()
                .filter(source -> source.getValue() != database.source()
                        && TransactionSynchronizationManager.hasResource(source.getValue()))
                .map(source -> "'" + source.getKey() + "'")
                .toList();
        return names.isEmpty() ? "" : ", of DataSource " + String.join(" and ", names) + ",";
    }

    /** Whether what this thread does on the DataSource is part of a transaction: a connection without one commits by itself. */
    private boolean isOurs() {
        Connection connection = DataSourceUtils.getConnection(database.source());
        try {
            return !connection.getAutoCommit();
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "the journal cannot use the transaction of this thread: " + e.getMessage(), e);
        } finally {
            DataSourceUtils.releaseConnection(connection, database.source());
        }
    }

    /**
     * Recognizes this transaction's commit. A transaction of another manager around it may commit although this one was rolled back,
     * and what waits for a commit then hears of that one.
     */
    BooleanSupplier commit() {
        Object begun = resource();
        return () -> begun != null && Objects.equals(resource(), begun);
    }

    private @Nullable Object resource() {
        return TransactionSynchronizationManager.getResource(database.source()) instanceof ResourceHolder holder
                        && !holder.isVoid()
                ? holder
                : null;
    }
}

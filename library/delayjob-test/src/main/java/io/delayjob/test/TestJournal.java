package io.delayjob.test;

import io.delayjob.JobStep;
import io.delayjob.engine.extension.Journal;
import io.delayjob.spring.autoconfigure.DelayJobJournalProperties.Mode;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The journal of an application in a test: a submit inside a transaction is part of it, and its job comes to the queue with the commit. The
 * rows in SQL, which production needs because processes die, are not written: their times are those of the database, not of the test.
 */
final class TestJournal implements Journal {

    private static final Fate AT_ONCE = new Fate.Send(null);

    private final Function<String, Mode> modes;
    private final Supplier<@Nullable DataSource> source;

    /**
     * A journal.
     *
     * @param modes by queue
     * @param source of the application's journal; null if the test has none
     */
    TestJournal(Function<String, Mode> modes, Supplier<@Nullable DataSource> source) {
        this.modes = modes;
        this.source = source;
    }

    @Override
    public boolean takes(Entry job) {
        String queue = job.shard().queue();
        if (modes.apply(queue) == Mode.OFF || !TransactionSynchronizationManager.isActualTransactionActive()) {
            return false;
        }
        refuseUnless(!TransactionSynchronizationManager.isCurrentTransactionReadOnly(), queue, "is read-only");
        refuseUnless(isOfTheJournal(), queue, "is not one of the journal's DataSource");
        return true;
    }

    private static void refuseUnless(boolean possible, String queue, String reason) {
        if (!possible) {
            throw new IllegalStateException("a submit to queue '" + queue
                    + "' must commit with the transaction it is made in, but transaction "
                    + TransactionSynchronizationManager.getCurrentTransactionName() + " " + reason
                    + ": submit in another one, or outside of any (propagation NOT_SUPPORTED), or set delayjob.queues."
                    + queue
                    + ".journal.mode=off");
        }
    }

    private boolean isOfTheJournal() {
        DataSource journals = source.get();
        if (journals == null) {
            return true;
        }
        Connection connection = DataSourceUtils.getConnection(journals);
        try {
            return !connection.getAutoCommit();
        } catch (SQLException e) {
            throw new IllegalStateException("the journal's DataSource cannot be asked: " + e.getMessage(), e);
        } finally {
            DataSourceUtils.releaseConnection(connection, journals);
        }
    }

    @Override
    public Written write(List<Entry> jobs) {
        return new Written(
                true, CompletableFuture.completedFuture(Collections.nCopies(jobs.size(), AT_ONCE)), commit());
    }

    /** Recognizes the commit of this thread's transaction on the DataSource: the commit of another one around it is not it. */
    private BooleanSupplier commit() {
        DataSource journals = source.get();
        Object begun = journals == null ? null : TransactionSynchronizationManager.getResource(journals);
        return () -> journals == null || Objects.equals(begun, TransactionSynchronizationManager.getResource(journals));
    }

    @Override
    public CompletableFuture<List<JobStep>> history(String queue, String id, int limit) {
        throw new IllegalStateException("a test keeps no history of jobs; SubmittedJobs.events() has every step");
    }
}

package io.delayjob.benchmarks.contender;

import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Rows of an application's own, which are to commit together with jobs, in transactions of Spring. */
public final class PlacedOrders {

    private final JdbcTemplate jdbc;
    private final TransactionTemplate transaction;

    /** In a table that is made if it is not there. */
    public PlacedOrders(DataSource database) {
        this.jdbc = new JdbcTemplate(database);
        this.transaction = new TransactionTemplate(new JdbcTransactionManager(database));
        jdbc.execute("CREATE TABLE IF NOT EXISTS placed_order (id TEXT PRIMARY KEY, payload TEXT NOT NULL)");
    }

    /** Submits jobs. */
    public interface Submit {

        /** Does it. */
        void run() throws Exception;
    }

    /** Writes a row for each job, and submits the jobs, in one transaction. */
    public void place(List<Job> jobs, Submit submit) throws Exception {
        transaction.executeWithoutResult(status -> {
            write(jobs);
            run(submit);
        });
    }

    /** Writes a row for each job in a transaction, and submits the jobs after it. */
    public void placeBefore(List<Job> jobs, Submit submit) throws Exception {
        transaction.executeWithoutResult(status -> write(jobs));
        submit.run();
    }

    private void write(List<Job> jobs) {
        jdbc.batchUpdate(
                "INSERT INTO placed_order (id, payload) VALUES (?, ?)", jobs, jobs.size(), (statement, job) -> {
                    statement.setString(1, job.id());
                    statement.setString(2, job.payload());
                });
    }

    private static void run(Submit submit) {
        try {
            submit.run();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}

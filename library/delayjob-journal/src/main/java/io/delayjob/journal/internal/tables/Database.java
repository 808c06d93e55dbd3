package io.delayjob.journal.internal.tables;

import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The journal's database.
 *
 * @param source gives the connections of the application's transactions
 * @param limited gives the journal's own, whose calls fail if the database does not answer within {@link #LIMIT}
 * @param name the name of its bean
 * @param dialect the kind of the database
 * @param inside the jobs that are submitted in transactions of the application's
 * @param submits the other jobs that are submitted
 * @param relays the jobs that Redis is not known to have
 * @param jobs the jobs
 * @param flow their steps
 * @param schedules the schedules
 * @param limits the limits that were set
 * @param shards the shards
 * @param nodes which node journals what
 * @param own runs a transaction of the journal's own
 */
public record Database(
        DataSource source,
        DataSource limited,
        String name,
        Dialect dialect,
        SubmitTable inside,
        SubmitTable submits,
        RelayTable relays,
        JobTable jobs,
        FlowTable flow,
        ScheduleTable schedules,
        LimitTable limits,
        ShardTable shards,
        NodeTable nodes,
        TransactionTemplate own) {

    /** How long a call may take: much longer than any statement of the journal, which all work on a bounded number of rows. */
    static final Duration LIMIT = Duration.ofSeconds(20);

    /** Of a DataSource whose tables are there. */
    public static Database of(DataSource source, String name) {
        Dialect dialect = Dialect.of(source);
        DataSource limited = new LimitedDataSource(source, LIMIT);
        TransactionTemplate own = new TransactionTemplate(new JdbcTransactionManager(limited));
        own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        own.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
        return new Database(
                source,
                limited,
                name,
                dialect,
                SubmitTable.inside(source, dialect),
                SubmitTable.own(limited, dialect),
                new RelayTable(limited, dialect),
                new JobTable(limited, dialect),
                new FlowTable(limited),
                new ScheduleTable(limited),
                new LimitTable(limited),
                new ShardTable(limited, dialect),
                new NodeTable(limited, dialect),
                own);
    }
}

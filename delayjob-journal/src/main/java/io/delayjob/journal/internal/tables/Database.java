package io.delayjob.journal.internal.tables;

import javax.sql.DataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The journal's database.
 *
 * @param source gives connections; that of the application's transactions
 * @param name the name of its bean
 * @param dialect what kind it is
 * @param jobs the jobs
 * @param flow their steps
 * @param shards the shards
 * @param nodes which node journals what
 * @param own runs a transaction of the journal's own
 */
public record Database(
        DataSource source,
        String name,
        Dialect dialect,
        JobTable jobs,
        FlowTable flow,
        ShardTable shards,
        NodeTable nodes,
        TransactionTemplate own) {

    /** Of a DataSource whose tables are there. */
    public static Database of(DataSource source, String name) {
        Dialect dialect = Dialect.of(source);
        TransactionTemplate own = new TransactionTemplate(new JdbcTransactionManager(source));
        own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
        own.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
        return new Database(
                source,
                name,
                dialect,
                new JobTable(source, dialect),
                new FlowTable(source),
                new ShardTable(source, dialect),
                new NodeTable(source, dialect),
                own);
    }
}

package io.delayjob.reliability.harness;

import java.util.List;
import java.util.Objects;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** A backup of a database, as {@code pg_dump} makes one while everything runs: all rows as they were at one moment, kept in another schema. */
final class Backup {

    private static final String SCHEMA = "backup";

    private final JdbcTemplate jdbc;
    private final List<String> tables;

    private Backup(JdbcTemplate jdbc, List<String> tables) {
        this.jdbc = jdbc;
        this.tables = tables;
    }

    static Backup of(JdbcTemplate jdbc) {
        List<String> tables = jdbc.queryForList(
                "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename", String.class);
        jdbc.execute("CREATE SCHEMA " + SCHEMA);
        atOneMoment(
                jdbc,
                () -> tables.forEach(table ->
                        jdbc.execute("CREATE TABLE %1$s.%2$s AS SELECT * FROM public.%2$s".formatted(SCHEMA, table))));
        return new Backup(jdbc, tables);
    }

    /** Puts it back; nothing else may use the database. */
    void putBack() {
        atOneMoment(jdbc, () -> {
            jdbc.execute("TRUNCATE " + String.join(", ", tables));
            // In the order of their names, delayjob_job comes before delayjob_mark, which refers to it.
            tables.forEach(
                    table -> jdbc.execute("INSERT INTO public.%2$s SELECT * FROM %1$s.%2$s".formatted(SCHEMA, table)));
        });
    }

    private static void atOneMoment(JdbcTemplate jdbc, Runnable work) {
        TransactionTemplate transaction =
                new TransactionTemplate(new JdbcTransactionManager(Objects.requireNonNull(jdbc.getDataSource())));
        transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        transaction.executeWithoutResult(status -> work.run());
    }
}

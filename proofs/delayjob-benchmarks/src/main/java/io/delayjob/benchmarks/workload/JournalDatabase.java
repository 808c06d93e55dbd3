package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.contender.ContenderName.StoreKind;
import io.delayjob.benchmarks.driver.RunningStore;
import io.delayjob.benchmarks.driver.Waits;
import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A PostgreSQL for the journal of delayjob, and what the program asks of its tables. */
final class JournalDatabase implements AutoCloseable {

    /** Connection settings like those of the contenders that keep their jobs in PostgreSQL. */
    private static final Map<String, String> LIKE_OTHERS = Map.of(
            "spring.datasource.hikari.maximum-pool-size", "20",
            "spring.datasource.hikari.data-source-properties.reWriteBatchedInserts", "true");

    private final RunningStore postgres = RunningStore.start(StoreKind.POSTGRESQL);
    private final JdbcClient client =
            JdbcClient.create(new DriverManagerDataSource(postgres.store().url()));

    /** The options of a node that has it, and others, in pairs. */
    Map<String, String> options(String... pairs) {
        Map<String, String> options = new HashMap<>(LIKE_OTHERS);
        options.put("spring.datasource.url", postgres.store().url());
        for (int i = 0; i < pairs.length; i += 2) {
            options.put(pairs[i], pairs[i + 1]);
        }
        return options;
    }

    JdbcClient client() {
        return client;
    }

    /** Waits until so many jobs are in it, and Redis is known to have them. */
    void awaitRelayed(long jobs) {
        await("SELECT (SELECT COUNT(*) FROM delayjob_job) = " + jobs
                + " AND NOT EXISTS (SELECT 1 FROM delayjob_job WHERE relay_at IS NOT NULL)");
    }

    /** Waits until it knows the end of all jobs. */
    void awaitFinished() {
        await("SELECT NOT EXISTS (SELECT 1 FROM delayjob_job WHERE finished_at IS NULL)");
    }

    /** Waits until a condition is true. */
    void await(String condition) {
        Waits.until(condition, () -> client.sql(condition).query(Boolean.class).single());
    }

    @Override
    public void close() {
        postgres.close();
    }
}

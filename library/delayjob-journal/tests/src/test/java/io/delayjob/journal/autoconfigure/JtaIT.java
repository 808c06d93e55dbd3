package io.delayjob.journal.autoconfigure;

import static io.delayjob.SubmitResult.Outcome.DEFERRED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.atomikos.icatch.jta.UserTransactionManager;
import com.atomikos.jdbc.AtomikosDataSourceBean;
import com.zaxxer.hikari.HikariDataSource;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.transaction.jta.JtaTransactionManager;

/** Submits in transactions of a JTA transaction manager, here Atomikos. */
@RealRedis
class JtaIT {

    private final String queue = "q-" + UUID.randomUUID();
    private final Runs runs = new Runs();

    /** Transactions of all DataSources that take part. */
    @Configuration(proxyBeanMethods = false)
    static class Jta {

        @Bean(initMethod = "init", destroyMethod = "close")
        UserTransactionManager atomikos() {
            return new UserTransactionManager();
        }

        @Bean
        JtaTransactionManager transactionManager(UserTransactionManager atomikos) {
            return new JtaTransactionManager(atomikos, atomikos);
        }
    }

    /** One that takes part. */
    @Configuration(proxyBeanMethods = false)
    static class Enlisted {

        @Bean(destroyMethod = "close")
        AtomikosDataSourceBean dataSource(Environment environment) {
            JdbcDataSource h2 = new JdbcDataSource();
            h2.setUrl(environment.getRequiredProperty("spring.datasource.url"));
            AtomikosDataSourceBean pool = new AtomikosDataSourceBean();
            pool.setUniqueResourceName("journal-" + UUID.randomUUID());
            pool.setXaDataSource(h2);
            pool.setMaxPoolSize(10);
            return pool;
        }
    }

    /** One that does not. */
    @Configuration(proxyBeanMethods = false)
    static class NotEnlisted {

        @Bean(destroyMethod = "close")
        DataSource dataSource(Environment environment) {
            HikariDataSource pool = new HikariDataSource();
            pool.setJdbcUrl(environment.getRequiredProperty("spring.datasource.url"));
            return pool;
        }
    }

    private JournalNode open(Class<?> database) {
        SpringApplication application = JournalNode.application(runs, null);
        application.addPrimarySources(List.of(Jta.class, database));
        return JournalNode.run(application, RedisServer.shared().url(), TestDatabase.H2_MEMORY.freshUrl(), queue);
    }

    @Test
    void aSubmitCommitsAndRollsBackWithItsTransaction() {
        try (JournalNode node = open(Enlisted.class)) {
            node.jdbc().execute("CREATE TABLE orders (id VARCHAR(10))");
            node.transaction().executeWithoutResult(status -> {
                node.jdbc().update("INSERT INTO orders VALUES ('no')");
                node.submit("no");
                status.setRollbackOnly();
            });
            node.transaction().executeWithoutResult(status -> {
                node.jdbc().update("INSERT INTO orders VALUES ('yes')");
                assertThat(node.submit("yes").outcome()).isEqualTo(DEFERRED);
            });
            runs.awaitAll(List.of("yes"));
            await().until(() -> node.rows("id = 'yes' AND state = 'COMPLETED' AND relay_at IS NULL") == 1);
            assertThat(node.rows("1 = 1")).isEqualTo(1);
            assertThat(node.jdbc().queryForList("SELECT id FROM orders", String.class))
                    .containsExactly("yes");
        }
        assertThat(runs.seen()).containsExactly("yes");
    }

    @Test
    void aDataSourceThatTakesNoPartIsRefused() {
        try (JournalNode node = open(NotEnlisted.class)) {
            assertThatThrownBy(() -> node.transaction().executeWithoutResult(status -> node.submit("a")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("is not one of the journal's DataSource 'dataSource'", queue);
            assertThat(node.rows("1 = 1")).isZero();
        }
    }
}

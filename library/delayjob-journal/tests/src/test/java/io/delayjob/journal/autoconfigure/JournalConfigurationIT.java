package io.delayjob.journal.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.Journal;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.memory.MemoryBackend;
import io.delayjob.journal.database.TestDatabase;
import io.delayjob.journal.internal.submitting.SqlJournal;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.spring.InvalidConfigurationException;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Configurations with which an application starts, or refuses to start. */
class JournalConfigurationIT {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    JacksonAutoConfiguration.class,
                    DelayJobAutoConfiguration.class,
                    DelayJobJournalAutoConfiguration.class))
            .withBean(Backend.class, () -> new MemoryBackend(System::currentTimeMillis));

    private static ApplicationContextRunner withDatabase(ApplicationContextRunner runner, String name) {
        return runner.withBean(name, DataSource.class, TestDatabase.H2_MEMORY::fresh);
    }

    private void refuses(ApplicationContextRunner application, String... messages) {
        application.run(
                context -> assertThat(Stream.iterate(context.getStartupFailure(), Objects::nonNull, Throwable::getCause)
                                .filter(InvalidConfigurationException.class::isInstance)
                                .map(Throwable::getMessage)
                                .collect(Collectors.joining()))
                        .contains(messages));
    }

    @Test
    void needsOneDependencyAndADataSource() {
        withDatabase(runner, "dataSource").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Extensions.class).journal()).isInstanceOf(SqlJournal.class);
        });
    }

    @Test
    void refusesToStartWithoutADataSource() {
        refuses(runner, "delayjob-journal needs a DataSource", "spring.datasource.url", "delayjob.journal.mode=off");
    }

    @Test
    void needsNoDataSourceWhereItIsOff() {
        runner.withPropertyValues("delayjob.journal.mode=off").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Extensions.class).journal()).isSameAs(Journal.NONE);
        });
    }

    @Test
    void keepsAJournalOfOneQueueAlone() {
        withDatabase(runner, "dataSource")
                .withPropertyValues("delayjob.journal.mode=off", "delayjob.queues.orders.journal.mode=always")
                .run(context -> assertThat(context).hasSingleBean(SqlJournal.class));
    }

    @Test
    void asksWhichOfSeveralDataSourcesToUse() {
        ApplicationContextRunner two = withDatabase(withDatabase(runner, "one"), "two");
        refuses(two, "several DataSources", "delayjob.journal.data-source", "[one, two]");
        refuses(two.withPropertyValues("delayjob.journal.data-source=three"), "'three'", "[one, two]");
        two.withPropertyValues("delayjob.journal.data-source=two")
                .run(context ->
                        assertThat(context.getBean(Database.class).source()).isSameAs(context.getBean("two")));
    }

    @ParameterizedTest
    @CsvSource({
        "horizon=59s, delayjob.journal.horizon must be at least 1 m",
        "retention=0s, delayjob.journal.retention must be positive",
        "max-flow-entries=10, delayjob.journal.max-flow-entries must be at least 1000"
    })
    void refusesAValueOutOfItsRange(String property, String message) {
        refuses(withDatabase(runner, "dataSource").withPropertyValues("delayjob.journal." + property), message);
    }

    @Test
    void refusesTablesOfANewerRelease() {
        withDatabase(runner, "dataSource").run(first -> {
            DataSource database = first.getBean(DataSource.class);
            new JdbcTemplate(database)
                    .update("UPDATE \"delayjob_schema_history\" SET \"version\" = '99', \"description\" = 'later'"
                            + " WHERE \"version\" = '1.10'");
            refuses(
                    runner.withBean("dataSource", DataSource.class, () -> database),
                    "newer release",
                    "version 99",
                    "dataSource");
        });
    }

    @Test
    void refusesConnectionsWithoutAutoCommit() {
        SingleConnectionDataSource pool = new SingleConnectionDataSource(TestDatabase.H2_MEMORY.freshUrl(), true);
        pool.setAutoCommit(false);
        refuses(
                runner.withBean("pool", DataSource.class, () -> pool),
                "'pool'",
                "without auto-commit",
                "spring.datasource.hikari.auto-commit");
    }

    @Test
    void saysWhyTheDatabaseCannotBeReached() {
        refuses(
                runner.withBean(
                        "away",
                        DataSource.class,
                        () -> new DriverManagerDataSource("jdbc:postgresql://127.0.0.1:1/jobs", "a", "b")),
                "cannot reach its database",
                "'away'",
                "127.0.0.1:1 refused");
    }

    @Test
    void namesBothDataSourcesWhereTheTransactionIsOfAnother() {
        ApplicationContextRunner two = withDatabase(withDatabase(runner, "one"), "two")
                .withPropertyValues("delayjob.journal.data-source=two", "delayjob.default-queue=orders");
        two.run(context -> {
            TransactionTemplate other =
                    new TransactionTemplate(new JdbcTransactionManager(context.getBean("one", DataSource.class)));
            io.delayjob.DelayJobProducer producer = context.getBean(io.delayjob.DelayJobProducer.class);
            other.executeWithoutResult(status -> org.assertj.core.api.Assertions.assertThatThrownBy(
                            () -> producer.submit(JournalNode.note("a"), java.time.Duration.ZERO))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(
                            "of DataSource 'one'", "'two'", "delayjob.queues.orders.journal.mode=off"));
        });
    }
}

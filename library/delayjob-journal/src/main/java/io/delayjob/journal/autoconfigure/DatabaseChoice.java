package io.delayjob.journal.autoconfigure;

import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.Dialect;
import io.delayjob.journal.internal.tables.Schema;
import io.delayjob.spring.InvalidConfigurationException;
import io.delayjob.spring.autoconfigure.DelayJobJournalProperties;
import java.sql.Connection;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/** Finds the DataSource of the journal, and prepares its tables. */
record DatabaseChoice(ConfigurableListableBeanFactory beans, DelayJobJournalProperties properties) {

    private static final String OR_OFF = ", or set delayjob.journal.mode=off";

    /**
     * The database.
     *
     * @throws InvalidConfigurationException if there is none, or none that can be used; the message says what to do
     */
    Database prepared() {
        String name = properties.dataSource() == null ? only() : named(properties.dataSource());
        DataSource source = beans.getBean(name, DataSource.class);
        try {
            Dialect dialect = Dialect.of(source);
            checkAutoCommit(source);
            new Schema(source, dialect, properties.migrate()).prepare();
            return Database.of(source, name);
        } catch (IllegalStateException e) {
            throw new InvalidConfigurationException(e.getMessage() + " (DataSource '" + name + "')", e);
        } catch (FlywayException e) {
            throw new InvalidConfigurationException(
                    "the journal's tables cannot be made or changed in DataSource '" + name + "': " + e.getMessage(),
                    e);
        }
    }

    /**
     * Refuses connections without auto-commit: writes outside of transactions must commit by themselves, and a connection without auto-commit
     * is taken for one in a transaction.
     */
    private static void checkAutoCommit(DataSource source) {
        boolean commits = Boolean.TRUE.equals(
                new JdbcTemplate(source).execute((ConnectionCallback<Boolean>) Connection::getAutoCommit));
        if (!commits) {
            throw new IllegalStateException(
                    "the journal needs connections with auto-commit, and this pool gives them without auto-commit: leave"
                            + " spring.datasource.hikari.auto-commit at true, transactions switch it off themselves");
        }
    }

    private String named(String name) {
        if (!sources(beans).containsKey(name)) {
            throw new InvalidConfigurationException(
                    "delayjob.journal.data-source names no DataSource bean: '" + name + "'; there are "
                            + sources(beans).keySet(),
                    null);
        }
        return name;
    }

    private String only() {
        try {
            DataSource source = beans.getBeanProvider(DataSource.class).getIfAvailable();
            if (source == null) {
                throw new InvalidConfigurationException(
                        "delayjob-journal needs a DataSource, and the application has none: add a database (a driver and"
                                + " spring.datasource.url)" + OR_OFF,
                        null);
            }
            return sources(beans).entrySet().stream()
                    .filter(one -> one.getValue() == source)
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElseThrow();
        } catch (NoUniqueBeanDefinitionException e) {
            throw new InvalidConfigurationException(
                    "the application has several DataSources and none is primary: name that of the journal with"
                            + " delayjob.journal.data-source, one of "
                            + sources(beans).keySet() + OR_OFF,
                    e);
        }
    }

    /** All DataSources by the names of their beans. */
    static Map<String, DataSource> sources(ConfigurableListableBeanFactory beans) {
        return new TreeMap<>(beans.getBeansOfType(DataSource.class));
    }
}

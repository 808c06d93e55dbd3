package io.delayjob.journal.autoconfigure;

import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.Dialect;
import io.delayjob.journal.internal.tables.Schema;
import io.delayjob.spring.InvalidConfigurationException;
import io.delayjob.spring.autoconfigure.DelayJobJournalProperties;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.flywaydb.core.api.FlywayException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

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
            new Schema(source, Dialect.of(source), properties.migrate()).prepare();
            return Database.of(source, name);
        } catch (IllegalStateException e) {
            throw new InvalidConfigurationException(e.getMessage() + " (DataSource '" + name + "')", e);
        } catch (FlywayException e) {
            throw new InvalidConfigurationException(
                    "the journal's tables cannot be made or changed in DataSource '" + name + "': " + e.getMessage(),
                    e);
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

package io.delayjob.journal.autoconfigure;

import io.delayjob.DelayJobJournal;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.journal.internal.pointing.PointedIds;
import io.delayjob.journal.internal.pointing.ShardCounts;
import io.delayjob.journal.internal.relaying.RelayAfterDrain;
import io.delayjob.journal.internal.restoring.AutomaticRestore;
import io.delayjob.journal.internal.restoring.AwaitWritten;
import io.delayjob.journal.internal.restoring.JournalAdmin;
import io.delayjob.journal.internal.restoring.JournaledShard;
import io.delayjob.journal.internal.submitting.Modes;
import io.delayjob.journal.internal.submitting.ModesWatch;
import io.delayjob.journal.internal.submitting.Redis;
import io.delayjob.journal.internal.submitting.SqlJournal;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.LockTable;
import io.delayjob.journal.internal.writing.AfterDrain;
import io.delayjob.journal.internal.writing.FlowWriter;
import io.delayjob.journal.internal.writing.JournalHealth;
import io.delayjob.journal.internal.writing.JournalMeters;
import io.delayjob.journal.internal.writing.KeptFor;
import io.delayjob.journal.internal.writing.LossListener;
import io.delayjob.journal.internal.writing.Sweeper;
import io.delayjob.journal.internal.writing.WriterSettings;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.spring.autoconfigure.DelayJobJournalProperties;
import io.delayjob.spring.autoconfigure.DelayJobProperties;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Keeps jobs in the application's database too. Switched off by {@code delayjob.journal.mode=off}, if no queue has a mode of its own.
 */
@AutoConfiguration(after = {DelayJobAutoConfiguration.class, DataSourceAutoConfiguration.class})
@ConditionalOnProperty(name = "delayjob.enabled", matchIfMissing = true)
@ConditionalOnBean(Backend.class)
@Conditional(OnJournal.class)
@EnableConfigurationProperties(DelayJobJournalProperties.class)
public final class DelayJobJournalAutoConfiguration {

    private DelayJobJournalAutoConfiguration() {}

    /** After the application's own migrations: they may refuse a database that is not empty. */
    @Bean
    @DependsOnDatabaseInitialization
    static Database delayJobJournalDatabase(
            ConfigurableListableBeanFactory beans, DelayJobJournalProperties properties) {
        return new DatabaseChoice(beans, properties.checked()).prepared();
    }

    @Bean
    static Modes delayJobJournalModes(Environment environment) {
        return OnJournal.modes(environment);
    }

    @Bean
    static SqlJournal delayJobSubmitJournal(
            Database database,
            Modes modes,
            DelayJobJournalProperties properties,
            DelayJobProperties all,
            Backend backend,
            EngineSettings settings,
            ConfigurableListableBeanFactory beans) {
        return new SqlJournal(
                database,
                modes,
                properties.horizon(),
                all.submitTimeout(),
                Redis.of(shard -> ledger(shard, backend, settings), properties.maxFlowEntries()),
                shard -> shards(shard.queue(), settings),
                () -> DatabaseChoice.sources(beans));
    }

    @Bean
    static RelayAfterDrain delayJobJournalRelay(
            Database database, Backend backend, EngineSettings settings, PointedIds ids, Modes modes) {
        return new RelayAfterDrain(
                database, shard -> ledger(shard, backend, settings), ids, settings, shard -> modes.has(shard.queue()));
    }

    @Bean
    static FlowWriter delayJobJournalWriter(
            Database database,
            Backend backend,
            EngineSettings settings,
            PointedIds ids,
            Modes modes,
            AfterDrain relay,
            SqlJournal journal,
            ObjectProvider<LossListener> losses,
            DelayJobJournalProperties properties) {
        return new FlowWriter(
                database,
                new FlowWriter.Links(
                        shard -> ledger(shard, backend, settings),
                        ids,
                        shard -> modes.has(shard.queue()),
                        relay,
                        (shard, loss, at) -> losses.orderedStream().forEach(one -> one.lost(shard, loss, at)),
                        journal::saw),
                WriterSettings.of(properties.maxFlowEntries()));
    }

    @Bean
    static ShardCounts delayJobJournalShardCounts(Database database, EngineSettings settings) {
        return new ShardCounts(
                database.shards(),
                queue -> settings.queues().has(queue)
                        ? OptionalInt.of(settings.queues().of(queue).shards())
                        : OptionalInt.empty());
    }

    @Bean
    static PointedIds delayJobJournalPointedIds(Backend backend, EngineSettings settings, ShardCounts counts) {
        return new PointedIds(shard -> ledger(shard, backend, settings), counts);
    }

    private static Ledger ledger(ShardId shard, Backend backend, EngineSettings settings) {
        QueueSettings queue = settings.queues().of(shard.queue());
        return backend.ledger(shard, queue.retention(), queue.replication());
    }

    @Bean
    static Sweeper delayJobJournalSweeper(
            Database database, EngineSettings settings, DelayJobJournalProperties properties) {
        return new Sweeper(
                database,
                new LockTable(database.limited(), database.dialect()),
                settings.node(),
                new KeptFor(properties.retention(), properties.flowRetention()));
    }

    @Bean
    static ModesWatch delayJobJournalModesWatch(
            Database database, Modes modes, DelayJobEngine engine, Backend backend, EngineSettings settings) {
        return new ModesWatch(
                database,
                modes,
                settings.node(),
                engine::queueNames,
                queue -> ledger(new ShardId(queue, 0), backend, settings));
    }

    @Bean
    static JournalLifecycle delayJobJournalLifecycle(
            SqlJournal journal, ModesWatch watch, DelayJobEngine engine, EngineSettings settings) {
        return new JournalLifecycle(() -> journal.prepare(shards(engine.queueNames(), settings)), watch);
    }

    private static List<ShardId> shards(Set<String> queues, EngineSettings settings) {
        return queues.stream()
                .flatMap(queue -> shards(queue, settings).stream())
                .toList();
    }

    private static List<ShardId> shards(String queue, EngineSettings settings) {
        return IntStream.range(0, settings.queues().of(queue).shards())
                .mapToObj(number -> new ShardId(queue, number))
                .toList();
    }

    /** The beans that compare the journal with Redis and restore jobs, when they are asked to or automatically. */
    @Configuration(proxyBeanMethods = false)
    static class Restoring {

        private final JournalAdmin journal;

        Restoring(
                Database database,
                FlowWriter writer,
                Backend backend,
                EngineSettings settings,
                PointedIds ids,
                ShardCounts counts,
                Modes modes) {
            this.journal = new JournalAdmin(
                    () -> database.shards().all().stream()
                            .filter(shard -> modes.has(shard.queue()))
                            .map(shard -> new JournaledShard(
                                    shard, ledger(shard, backend, settings), counts.applyAsInt(shard.queue())))
                            .toList(),
                    ids,
                    database,
                    new AwaitWritten(writer.catchUp()),
                    backend::scheduleNames,
                    queue -> writer.state(queue).lagMillis());
        }

        @Bean
        @ConditionalOnMissingBean
        DelayJobJournal delayJobJournal() {
            return journal;
        }

        @Bean(initMethod = "start")
        @ConditionalOnProperty("delayjob.journal.restore-automatically")
        AutomaticRestore delayJobJournalAutomaticRestore() {
            return new AutomaticRestore(journal::restoreReplaced);
        }
    }

    /** In an application with the health endpoint. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class Health {

        /** Named so that it is {@code delayjobJournal} among the health components. */
        @Bean
        @ConditionalOnEnabledHealthIndicator("delayjob")
        JournalHealth delayjobJournalHealthIndicator(
                FlowWriter writer, DelayJobJournalProperties properties, ModesWatch modes) {
            return new JournalHealth(writer, properties.maxLag(), modes::differences);
        }
    }

    /** In an application with meters. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    static class Meters {

        @Bean
        JournalMeters delayJobJournalMeters(FlowWriter writer) {
            return new JournalMeters(writer);
        }
    }
}

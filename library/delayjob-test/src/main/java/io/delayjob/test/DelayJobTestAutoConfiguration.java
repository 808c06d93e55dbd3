package io.delayjob.test;

import io.delayjob.DelayJobClaims;
import io.delayjob.DelayJobProducer;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.spi.JobEventListener;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.spring.autoconfigure.DelayJobJournalProperties;
import io.delayjob.spring.autoconfigure.DelayJobJournalProperties.Mode;
import io.delayjob.spring.autoconfigure.DelayJobProperties;
import io.delayjob.spring.autoconfigure.ObservedSubmits;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.function.SingletonSupplier;

/** The beans that replace Redis in a test, and those that drive the test. Imported only by {@link AutoConfigureDelayJobTest}. */
@AutoConfiguration(before = DelayJobAutoConfiguration.class)
@ConditionalOnProperty(name = "delayjob.enabled", matchIfMissing = true)
final class DelayJobTestAutoConfiguration {

    private DelayJobTestAutoConfiguration() {}

    @Bean
    static VirtualTime delayJobVirtualTime() {
        return new VirtualTime();
    }

    @Bean
    static MemoryQueues delayJobBackend(VirtualTime time) {
        return new MemoryQueues(time);
    }

    @Bean
    static Recording delayJobRecording(VirtualTime time) {
        return new Recording(time);
    }

    @Bean
    static TestEvents delayJobTestEvents(
            Recording recording, ObjectProvider<JobEventListener> listeners, ApplicationEventPublisher publisher) {
        return new TestEvents(recording, listeners, publisher);
    }

    @Bean
    static JobEvents delayJobEvents(TestEvents events) {
        return JobEvents.onCallersThread(List.of(events::deliver));
    }

    @Bean
    static HandClaims delayJobHandClaims(VirtualTime time, ObjectProvider<DelayJobEngine> engine) {
        return new HandClaims(
                time,
                engine::getObject,
                SingletonSupplier.of(() -> engine.getObject().manualClaims()));
    }

    @Bean
    static HandRuns delayJobHandRuns(
            VirtualTime time, Recording recording, ObjectProvider<DelayJobEngine> engine, HandClaims claims) {
        return new HandRuns(
                time, recording, SingletonSupplier.of(() -> engine.getObject().manualRuns()), claims);
    }

    @Bean
    static TestBench delayJobTestBench(
            VirtualTime time,
            MemoryQueues queues,
            Recording recording,
            HandRuns runs,
            HandClaims claims,
            ObjectProvider<DelayJobEngine> engine) {
        return new TestBench(time, queues, recording, runs, claims, engine::getObject);
    }

    @Bean
    @ConditionalOnMissingBean
    static DelayJobClaims delayJobClaims(HandClaims claims) {
        return new TestClaims(claims);
    }

    @Bean
    @ConditionalOnMissingBean
    static DelayJobProducer delayJobProducer(
            DelayJobEngine engine, ObjectProvider<ObservedSubmits> observed, TestBench bench) {
        return new TestProducer(ObservedSubmits.producer(engine, observed), bench);
    }

    @Bean
    static VirtualClock delayJobVirtualClock(VirtualTime time, Recording recording, HandRuns runs, TestBench bench) {
        return new VirtualClock(time, recording, runs, bench::startAt);
    }

    @Bean
    static SubmittedJobs delayJobSubmittedJobs(Recording recording) {
        return new SubmittedJobs(recording);
    }

    /** For applications with a journal. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.delayjob.journal.autoconfigure.DelayJobJournalAutoConfiguration")
    @EnableConfigurationProperties(DelayJobJournalProperties.class)
    static class Journaled {

        @Bean
        TestJournal delayJobTestJournal(
                DelayJobJournalProperties unchecked,
                DelayJobProperties all,
                ObjectProvider<DataSource> sources,
                BeanFactory beans) {
            DelayJobJournalProperties properties = unchecked.checked();
            String name = properties.dataSource();
            return new TestJournal(
                    queue -> mode(all.queues().get(queue), properties),
                    name == null ? sources::getIfUnique : () -> beans.getBean(name, DataSource.class));
        }

        private static Mode mode(DelayJobProperties.@Nullable Queue queue, DelayJobJournalProperties others) {
            Mode own = queue == null ? null : queue.journal().mode();
            return own == null ? others.mode() : own;
        }
    }
}

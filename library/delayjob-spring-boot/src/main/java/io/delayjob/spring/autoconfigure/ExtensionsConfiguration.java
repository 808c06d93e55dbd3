package io.delayjob.spring.autoconfigure;

import io.delayjob.engine.extension.EventTap;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.extension.Journal;
import io.delayjob.engine.extension.Transactions;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.telemetry.Telemetry;
import io.delayjob.spi.JobEventListener;
import io.delayjob.spi.JobInterceptor;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.function.SingletonSupplier;

/** Gives the engine the application's extensions, such as event listeners, and its transactions. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(Backend.class)
class ExtensionsConfiguration {

    /** The name of the bean that counts for the history of all nodes, beside the measurements of this one. */
    private static final String HISTORY = "delayJobHistory";

    /** In an application that has transactions. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(TransactionSynchronizationManager.class)
    static class Transactional {

        @Bean
        @ConditionalOnMissingBean
        Transactions delayJobTransactions() {
            return new SpringTransactions();
        }
    }

    @Bean
    EventDelivery delayJobEventDelivery(
            ObjectProvider<JobEventListener> listeners, ApplicationEventPublisher publisher) {
        return new EventDelivery(listeners, publisher);
    }

    @Bean
    @ConditionalOnMissingBean
    JobEvents delayJobEvents(EventDelivery delivery, ObjectProvider<EventTap> tap) {
        return JobEvents.onOwnThread(
                List.of(delivery::deliver), delivery::hears, tap.getIfAvailable(() -> EventTap.NONE));
    }

    @Bean
    @ConditionalOnMissingBean
    Extensions delayJobExtensions(
            ObjectProvider<JobInterceptor> interceptors,
            JobEvents events,
            ObjectProvider<Transactions> transactions,
            ObjectProvider<Telemetry> telemetry,
            @Qualifier(HISTORY) ObjectProvider<Telemetry> history,
            ObjectProvider<Journal> journals,
            Environment environment,
            DelayJobProperties properties) {
        Journal journal = journals.getIfAvailable();
        if (journal == null) {
            MissingJournal.refuse(environment, properties);
        }
        return new Extensions(
                SingletonSupplier.of(() -> interceptors.orderedStream().toList()),
                events,
                transactions.getIfAvailable(() -> Transactions.NONE),
                Telemetry.both(
                        telemetry.getIfAvailable(() -> Telemetry.NONE), history.getIfAvailable(() -> Telemetry.NONE)),
                journal == null ? Journal.NONE : journal);
    }
}

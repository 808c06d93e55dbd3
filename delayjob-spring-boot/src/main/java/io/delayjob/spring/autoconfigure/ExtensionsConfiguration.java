package io.delayjob.spring.autoconfigure;

import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.extension.Transactions;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.telemetry.Telemetry;
import io.delayjob.spi.JobEventListener;
import io.delayjob.spi.JobInterceptor;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.function.SingletonSupplier;

/** What an application adds to the engine, and the transactions it has. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(Backend.class)
class ExtensionsConfiguration {

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
    JobEvents delayJobEvents(EventDelivery delivery) {
        return JobEvents.onOwnThread(List.of(delivery::deliver), delivery::hears);
    }

    @Bean
    @ConditionalOnMissingBean
    Extensions delayJobExtensions(
            ObjectProvider<JobInterceptor> interceptors,
            JobEvents events,
            ObjectProvider<Transactions> transactions,
            ObjectProvider<Telemetry> telemetry) {
        return new Extensions(
                SingletonSupplier.of(() -> interceptors.orderedStream().toList()),
                events,
                transactions.getIfAvailable(() -> Transactions.NONE),
                telemetry.getIfAvailable(() -> Telemetry.NONE));
    }
}

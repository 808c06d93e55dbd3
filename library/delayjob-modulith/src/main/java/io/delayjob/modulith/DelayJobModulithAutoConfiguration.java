package io.delayjob.modulith;

import io.delayjob.DelayJobProducer;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.ComposablePointcut;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.RootClassFilter;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.modulith.events.config.EventPublicationAutoConfiguration;
import org.springframework.modulith.events.core.EventPublicationRegistry;

/**
 * Makes jobs of the events that are marked {@link DelayJobExternalized}, in an application with a {@link DelayJobProducer}. The start
 * fails without an event publication registry, such as {@code spring-modulith-starter-jdbc} brings: nothing would keep the events.
 */
@AutoConfiguration(after = {DelayJobAutoConfiguration.class, EventPublicationAutoConfiguration.class})
@ConditionalOnBean(DelayJobProducer.class)
public final class DelayJobModulithAutoConfiguration {

    private DelayJobModulithAutoConfiguration() {}

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Publications delayJobPublications() {
        return new Publications(DelayJobExternalizer.ID);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static Advisor delayJobPublicationsAdvisor(Publications publications) {
        return new DefaultPointcutAdvisor(
                new ComposablePointcut(new RootClassFilter(EventPublicationRegistry.class)), publications);
    }

    @Bean
    static DelayJobExternalizer delayJobExternalizer(
            DelayJobProducer producer,
            Publications publications,
            EventPublicationRegistry required,
            ConfigurableBeanFactory beans) {
        return new DelayJobExternalizer(producer, publications, beans::resolveEmbeddedValue);
    }
}

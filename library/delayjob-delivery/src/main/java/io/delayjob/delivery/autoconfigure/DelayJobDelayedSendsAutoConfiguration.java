package io.delayjob.delivery.autoconfigure;

import io.delayjob.DelayJobProducer;
import io.delayjob.delivery.amqp.DelayingRabbitTemplate;
import io.delayjob.delivery.internal.broker.DelayedSends;
import io.delayjob.delivery.internal.kafka.DelayingProducers;
import io.delayjob.delivery.internal.rocketmq.DelayingProducer;
import io.delayjob.delivery.jms.DelayingJmsTemplate;
import io.micrometer.observation.ObservationRegistry;
import java.util.function.Supplier;
import org.apache.rocketmq.spring.core.RocketMQTemplate;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitOperations;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.amqp.autoconfigure.RabbitTemplateConfigurer;
import org.springframework.boot.amqp.autoconfigure.RabbitTemplateCustomizer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;

/**
 * Lets messages wait that the application sends with a delay, if {@code delayjob.delivery.delay-header} names the header of the delay. Every
 * {@code JmsTemplate}, every {@code ProducerFactory} of Kafka, every {@code RocketMQTemplate}, and the {@code RabbitTemplate} that Boot
 * would make, then do so.
 */
@AutoConfiguration(
        beforeName = {
            "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
            "io.delayjob.delivery.autoconfigure.DelayJobBrokersAutoConfiguration"
        })
@ConditionalOnProperty(DelayJobDelayedSendsAutoConfiguration.HEADER)
public final class DelayJobDelayedSendsAutoConfiguration {

    static final String HEADER = "delayjob.delivery.delay-header";

    private DelayJobDelayedSendsAutoConfiguration() {}

    @Bean
    static DelayedSends delayJobDelayedSends(
            DelayJobDeliveryProperties properties, ObjectProvider<DelayJobProducer> producer) {
        return new DelayedSends(String.valueOf(properties.delayHeader()), producer::getObject);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JmsTemplate.class)
    static class Jms {

        @Bean
        static BeanPostProcessor delayJobDelayingJmsTemplates(
                ObjectProvider<DelayedSends> sends, ObjectProvider<ObservationRegistry> observations) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessBeforeInitialization(Object bean, String name) {
                    // A subclass may do anything: it stays as it is.
                    return bean.getClass() == JmsTemplate.class
                            ? delaying((JmsTemplate) bean, sends::getObject, observations.getIfUnique())
                            : bean;
                }
            };
        }

        private static JmsTemplate delaying(
                JmsTemplate template, Supplier<DelayedSends> sends, @Nullable ObservationRegistry observations) {
            DelayingJmsTemplate delaying = new DelayingJmsTemplate(sends);
            // Either of the two would set the other to null.
            BeanUtils.copyProperties(template, delaying, "defaultDestination", "defaultDestinationName");
            if (template.getDefaultDestination() != null) {
                delaying.setDefaultDestination(template.getDefaultDestination());
            } else if (template.getDefaultDestinationName() != null) {
                delaying.setDefaultDestinationName(template.getDefaultDestinationName());
            }
            if (observations != null) {
                delaying.setObservationRegistry(observations);
            }
            return delaying;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({RabbitTemplate.class, RabbitTemplateConfigurer.class})
    static class Amqp {

        @Bean
        @ConditionalOnMissingBean(RabbitOperations.class)
        static DelayingRabbitTemplate rabbitTemplate(
                ObjectProvider<DelayedSends> sends,
                RabbitTemplateConfigurer configurer,
                ConnectionFactory connections,
                ObjectProvider<RabbitTemplateCustomizer> customizers) {
            DelayingRabbitTemplate template = new DelayingRabbitTemplate(sends::getObject);
            configurer.configure(template, connections);
            customizers.orderedStream().forEach(customizer -> customizer.customize(template));
            return template;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(KafkaTemplate.class)
    static class Kafka {

        @Bean
        static BeanPostProcessor delayJobDelayingProducers(ObjectProvider<DelayedSends> sends) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    if (bean instanceof ProducerFactory<?, ?> factory) {
                        delay(factory, sends::getObject);
                    }
                    return bean;
                }
            };
        }

        @SuppressWarnings("unchecked")
        private static void delay(ProducerFactory<?, ?> factory, Supplier<DelayedSends> sends) {
            ((ProducerFactory<Object, Object>) factory).addPostProcessor(new DelayingProducers(factory, sends));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RocketMQTemplate.class)
    static class Rocket {

        @Bean
        static BeanPostProcessor delayJobDelayingRocketProducers(ObjectProvider<DelayedSends> sends) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessBeforeInitialization(Object bean, String name) {
                    if (bean instanceof RocketMQTemplate template && template.getProducer() != null) {
                        template.setProducer(DelayingProducer.of(template.getProducer(), sends::getObject));
                    }
                    return bean;
                }
            };
        }
    }
}

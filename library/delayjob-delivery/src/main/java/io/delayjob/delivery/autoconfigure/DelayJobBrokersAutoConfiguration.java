package io.delayjob.delivery.autoconfigure;

import io.delayjob.delivery.internal.amqp.AmqpMessages;
import io.delayjob.delivery.internal.amqp.AmqpTransport;
import io.delayjob.delivery.internal.broker.DelayedMessageJob;
import io.delayjob.delivery.internal.broker.MessageSender;
import io.delayjob.delivery.internal.jms.JmsMessages;
import io.delayjob.delivery.internal.jms.JmsTransport;
import io.delayjob.delivery.internal.kafka.KafkaMessages;
import io.delayjob.delivery.internal.kafka.KafkaTransport;
import io.delayjob.delivery.internal.rocketmq.RocketMessages;
import io.delayjob.delivery.internal.rocketmq.RocketTransport;
import java.util.Objects;
import org.apache.rocketmq.spring.core.RocketMQTemplate;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.kafka.core.KafkaTemplate;

/** The transports to the brokers that the application has a template for; the primary one, if it has several of a kind. */
@AutoConfiguration(
        before = DelayJobDeliveryAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.jms.autoconfigure.JmsAutoConfiguration",
            "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
            "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
            "org.apache.rocketmq.spring.autoconfigure.RocketMQAutoConfiguration"
        })
@ConditionalOnProperty(name = "delayjob.delivery.enabled", matchIfMissing = true)
public final class DelayJobBrokersAutoConfiguration {

    private DelayJobBrokersAutoConfiguration() {}

    @Bean
    @ConditionalOnProperty(DelayJobDelayedSendsAutoConfiguration.HEADER)
    static DelayedMessageJob delayJobDelayedMessageJob(ObjectProvider<MessageSender> senders) {
        return new DelayedMessageJob(senders.stream().toList());
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JmsTemplate.class)
    @ConditionalOnSingleCandidate(JmsTemplate.class)
    static class Jms {

        @Bean
        @ConditionalOnMissingBean
        static JmsTransport delayJobJmsTransport(JmsTemplate template) {
            return new JmsTransport(Objects.requireNonNull(
                    template.getConnectionFactory(), "the JmsTemplate has no connection factory"));
        }

        @Bean
        @ConditionalOnProperty(DelayJobDelayedSendsAutoConfiguration.HEADER)
        static JmsMessages delayJobJmsMessages(JmsTransport transport) {
            return new JmsMessages(transport.connections());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(KafkaTemplate.class)
    @ConditionalOnSingleCandidate(KafkaTemplate.class)
    static class Kafka {

        @Bean
        @ConditionalOnMissingBean
        static KafkaTransport delayJobKafkaTransport(KafkaTemplate<?, ?> template) {
            return new KafkaTransport(template.getProducerFactory());
        }

        @Bean
        @ConditionalOnProperty(DelayJobDelayedSendsAutoConfiguration.HEADER)
        static KafkaMessages delayJobKafkaMessages(KafkaTransport transport) {
            return new KafkaMessages(transport);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RabbitTemplate.class)
    @ConditionalOnSingleCandidate(RabbitTemplate.class)
    static class Amqp {

        @Bean
        @ConditionalOnMissingBean
        static AmqpTransport delayJobAmqpTransport(RabbitTemplate template) {
            return new AmqpTransport(template.getConnectionFactory());
        }

        @Bean
        @ConditionalOnProperty(DelayJobDelayedSendsAutoConfiguration.HEADER)
        static AmqpMessages delayJobAmqpMessages(RabbitTemplate template) {
            return new AmqpMessages(template.getConnectionFactory());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RocketMQTemplate.class)
    @ConditionalOnSingleCandidate(RocketMQTemplate.class)
    static class Rocket {

        @Bean
        @ConditionalOnMissingBean
        static RocketTransport delayJobRocketTransport(RocketMQTemplate template) {
            return new RocketTransport(template);
        }

        @Bean
        @ConditionalOnProperty(DelayJobDelayedSendsAutoConfiguration.HEADER)
        static RocketMessages delayJobRocketMessages(RocketMQTemplate template) {
            return new RocketMessages(template::getProducer);
        }
    }
}

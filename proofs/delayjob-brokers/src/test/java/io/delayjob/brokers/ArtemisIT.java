package io.delayjob.brokers;

import static org.awaitility.Awaitility.await;

import io.delayjob.delivery.Binding;
import io.delayjob.delivery.DelayJobTargets;
import jakarta.jms.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jms.JmsException;
import org.springframework.jms.connection.CachingConnectionFactory;

/** Delivery to ActiveMQ Artemis. */
final class ArtemisIT extends BrokerContract {

    private final ArtemisBroker broker = new ArtemisBroker();

    @Override
    Broker broker() {
        return broker;
    }

    @Override
    List<String> properties() {
        return List.of();
    }

    @Override
    ApplicationContextInitializer<GenericApplicationContext> beans() {
        return context -> context.registerBean(
                ConnectionFactory.class,
                () -> new CachingConnectionFactory(new ActiveMQConnectionFactory(broker.url())));
    }

    @Override
    String target() {
        return "jms:queue:orders";
    }

    @Override
    Consumer consumer(Shop opened) {
        return new JmsConsumer(opened.bean(ConnectionFactory.class), "orders");
    }

    @Override
    void send(Shop sender, String id, String body, @Nullable String delay) {
        JmsConsumer.send(sender, id, body, delay);
    }

    @Override
    List<String> missingTargets() {
        return List.of("jms:missing");
    }

    /** It takes messages of any length. */
    @Override
    int tooMany() {
        return 0;
    }

    @Override
    List<String> malformedTargets() {
        return List.of("jms:queue:", "jms://localhost/orders", "jms:orders?colour=red");
    }

    @Override
    String headerName(String header) {
        return header.replace('-', '_');
    }

    /** It makes a queue when it is first sent to, and deletes it when it is empty and nobody listens. */
    @Test
    void deliversToAQueueThatTheBrokerHasDeletedMeanwhile() throws Exception {
        String fleeting = "fleeting-" + UUID.randomUUID();
        shop().bean(DelayJobTargets.class).bind(Binding.of(fleeting, "jms:" + fleeting));
        JmsConsumer reader = new JmsConsumer(new ActiveMQConnectionFactory(broker.url()), fleeting);
        for (String id : List.of("first", "second", "third")) {
            submit(fleeting, id, "text", Duration.ZERO);
            // The broker may delete the queue right before the reader is there.
            await().ignoreExceptionsInstanceOf(JmsException.class)
                    .until(() -> reader.poll().stream().anyMatch(one -> one.id().equals(id)));
            await().until(() -> !broker.has(fleeting));
        }
    }
}

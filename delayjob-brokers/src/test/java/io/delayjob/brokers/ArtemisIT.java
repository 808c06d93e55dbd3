package io.delayjob.brokers;

import jakarta.jms.ConnectionFactory;
import java.util.List;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;
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
    @Nullable String missingTarget() {
        return null;
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
}

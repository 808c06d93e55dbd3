package io.delayjob.brokers;

import jakarta.jms.ConnectionFactory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Delivery to ActiveMQ Classic. */
final class ClassicIT extends BrokerContract {

    private final ClassicBroker broker = new ClassicBroker();

    @Override
    Broker broker() {
        return broker;
    }

    @Override
    List<String> properties() {
        return List.of("spring.activemq.broker-url=" + broker.url());
    }

    @Override
    String target() {
        return "jms:orders";
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

    @Override
    List<String> malformedTargets() {
        return List.of("jms:queue:", "jms://localhost/orders", "jms:orders?colour=red");
    }

    @Override
    String headerName(String header) {
        return header.replace('-', '_');
    }
}

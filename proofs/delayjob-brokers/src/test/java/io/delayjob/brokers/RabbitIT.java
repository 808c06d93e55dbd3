package io.delayjob.brokers;

import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

/** Delivery to RabbitMQ, confirmed by publisher confirms; skipped where it is not installed. */
final class RabbitIT extends AmqpContract {

    private RabbitBroker broker;

    @BeforeAll
    @Override
    void open() throws Exception {
        if (RabbitBroker.installed().isEmpty()) {
            System.out.println("RabbitIT is skipped: there is no rabbitmq-server (apt-get install rabbitmq-server)");
        }
        Assumptions.assumeTrue(RabbitBroker.installed().isPresent(), "no rabbitmq-server is installed");
        broker = RabbitBroker.installed().get();
        super.open();
    }

    @Override
    Broker broker() {
        return broker;
    }

    @Override
    List<String> properties() {
        return List.of(
                "spring.rabbitmq.host=127.0.0.1",
                "spring.rabbitmq.port=" + broker.port(),
                "spring.rabbitmq.publisher-confirm-type=correlated");
    }
}

package io.delayjob.brokers;

import java.util.List;

/** Delivery by AMQP, confirmed by transactions: the default of an application. */
final class QpidIT extends AmqpContract {

    private final QpidBroker broker = new QpidBroker();

    @Override
    Broker broker() {
        return broker;
    }

    @Override
    List<String> properties() {
        return List.of("spring.rabbitmq.host=127.0.0.1", "spring.rabbitmq.port=" + broker.port());
    }

    /** It keeps its messages in memory: none are lost of those that were consumed, and the others come again. */
    @Override
    void restart() throws Exception {
        broker.cut();
    }

    @Override
    int tooMany() {
        return 0;
    }
}

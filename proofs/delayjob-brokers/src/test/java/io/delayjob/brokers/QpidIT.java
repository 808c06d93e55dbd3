package io.delayjob.brokers;

import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;

/** Delivery by AMQP, confirmed by transactions: the default of an application. Skipped on JDKs that the broker does not run on. */
final class QpidIT extends AmqpContract {

    /** The first one without {@code Subject.getSubject}. */
    private static final int TOO_NEW = 24;

    private final QpidBroker broker = new QpidBroker();

    @BeforeAll
    @Override
    void open() throws Exception {
        int jdk = Runtime.version().feature();
        if (jdk >= TOO_NEW) {
            System.out.println(
                    "QpidIT is skipped: Qpid Broker-J does not start on JDK 24 or later, this is JDK " + jdk);
        }
        Assumptions.assumeTrue(jdk < TOO_NEW, "Qpid Broker-J does not start on this JDK");
        super.open();
    }

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

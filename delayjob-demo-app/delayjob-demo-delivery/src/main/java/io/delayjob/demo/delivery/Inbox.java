package io.delayjob.demo.delivery;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.stereotype.Component;

/** Reads the queue of the broker inside this process. It knows nothing of delayjob but the properties of the message. */
@Component
class Inbox {

    static final String QUEUE = "demo-messages";

    private final DeliveryLog log;

    Inbox(DeliveryLog log) {
        this.log = log;
    }

    @JmsListener(destination = QUEUE)
    void read(Message message) throws JMSException {
        int attempt = Integer.parseInt(message.getStringProperty("delayjob_attempt"));
        log.arrived(message.getStringProperty("delayjob_id"), Arrival.now(attempt, "none"));
    }
}

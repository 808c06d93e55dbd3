package io.delayjob.brokers;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.time.Instant;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jms.core.JmsTemplate;

/** Takes the text messages of a JMS queue. */
final class JmsConsumer implements Consumer {

    private final JmsTemplate template;
    private final String queue;

    JmsConsumer(ConnectionFactory connections, String queue) {
        this.template = new JmsTemplate(connections);
        template.setReceiveTimeout(500);
        this.queue = queue;
    }

    @Override
    public List<Received> poll() throws Exception {
        Message message = template.receive(queue);
        return message == null ? List.of() : List.of(read(message));
    }

    /** Sends a text message as an application would; "count" stays a number. */
    static void send(Shop sender, String id, String body, @Nullable String delay) {
        sender.bean(JmsTemplate.class).convertAndSend("orders", body, message -> {
            message.setStringProperty("delayjob_id", id);
            message.setStringProperty("shop", "north");
            message.setIntProperty("count", 3);
            message.setJMSCorrelationID("order-1");
            if (delay != null) {
                message.setStringProperty(BrokerContract.DELAY, delay);
            }
            return message;
        });
    }

    static Received read(Message message) throws JMSException {
        Map<String, String> headers = new TreeMap<>();
        Enumeration<?> names = message.getPropertyNames();
        for (Object name : Collections.list(names)) {
            headers.put((String) name, String.valueOf(message.getObjectProperty((String) name)));
        }
        if (headers.containsKey("shop")
                && !(message.getObjectProperty("count") instanceof Integer && message.getJMSCorrelationID() != null)) {
            throw new AssertionError("not as it was written: " + message);
        }
        return new Received(
                String.valueOf(headers.get("delayjob_id")),
                message instanceof TextMessage text ? text.getText() : "",
                headers,
                Instant.now());
    }
}

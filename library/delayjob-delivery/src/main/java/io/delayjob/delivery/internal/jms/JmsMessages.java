package io.delayjob.delivery.internal.jms;

import io.delayjob.delivery.internal.broker.DelayedMessage;
import io.delayjob.delivery.internal.broker.DelayedMessage.Header;
import io.delayjob.delivery.internal.broker.MessageSender;
import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jms.core.JmsTemplate;

/** JMS messages that wait, and their way to the broker when they are due. */
public final class JmsMessages implements MessageSender {

    private static final String DESTINATION = "destination";
    private static final String REPLY_TO = "replyTo";
    private static final String TYPE = "type";
    private static final String CORRELATION_ID = "correlationId";
    private static final String KIND = "kind";
    private static final String TEXT = "text";
    private static final String BYTES = "bytes";
    private static final String NO_BODY = "none";
    private static final String DELIVERY_MODE = "deliveryMode";
    private static final String PRIORITY = "priority";
    private static final String TIME_TO_LIVE = "timeToLive";
    private static final String TOPIC = "topic:";
    private static final String QUEUE = "queue:";

    private final JmsTemplate template;

    /** Sends over the connections of the application. */
    public JmsMessages(ConnectionFactory connections) {
        this.template = new JmsTemplate(connections);
    }

    /** How a message is sent, as {@link MessageProducer#send(Message, int, int, long)} takes it. */
    public record Quality(int deliveryMode, int priority, long timeToLive) {}

    @Override
    public String broker() {
        return "jms";
    }

    /**
     * Copies a message, without its delay property, for storage until its time.
     *
     * @throws IllegalArgumentException if it is neither of text nor of bytes, or its destination has no name
     */
    public static DelayedMessage of(
            @Nullable Destination destination, Message message, Quality quality, String delayHeader)
            throws JMSException {
        Map<String, String> fields = new TreeMap<>();
        fields.put(DESTINATION, name(destination));
        fields.put(KIND, kind(message));
        fields.put(DELIVERY_MODE, Integer.toString(quality.deliveryMode()));
        fields.put(PRIORITY, Integer.toString(quality.priority()));
        fields.put(TIME_TO_LIVE, Long.toString(quality.timeToLive()));
        if (message.getJMSReplyTo() != null) {
            fields.put(REPLY_TO, name(message.getJMSReplyTo()));
        }
        if (message.getJMSType() != null) {
            fields.put(TYPE, message.getJMSType());
        }
        if (message.getJMSCorrelationID() != null) {
            fields.put(CORRELATION_ID, message.getJMSCorrelationID());
        }
        return DelayedMessage.of("jms", fields, headers(message, delayHeader), body(message));
    }

    private static String name(@Nullable Destination destination) throws JMSException {
        if (destination instanceof Queue queue) {
            return QUEUE + queue.getQueueName();
        }
        if (destination instanceof Topic topic) {
            return TOPIC + topic.getTopicName();
        }
        throw new IllegalArgumentException("a message with a delay needs a queue or a topic to go to: " + destination);
    }

    private static String kind(Message message) {
        if (message instanceof TextMessage) {
            return TEXT;
        }
        if (message instanceof BytesMessage) {
            return BYTES;
        }
        for (Class<?> type : List.of(
                jakarta.jms.MapMessage.class, jakarta.jms.ObjectMessage.class, jakarta.jms.StreamMessage.class)) {
            if (type.isInstance(message)) {
                throw new IllegalArgumentException(
                        "a " + type.getSimpleName() + " cannot wait; send text or bytes, or send it without a delay");
            }
        }
        return NO_BODY;
    }

    private static byte @Nullable [] body(Message message) throws JMSException {
        if (message instanceof TextMessage text) {
            return text.getText() == null ? null : text.getText().getBytes(StandardCharsets.UTF_8);
        }
        if (message instanceof BytesMessage written) {
            written.reset();
            byte[] body = new byte[Math.toIntExact(written.getBodyLength())];
            written.readBytes(body);
            return body;
        }
        return null;
    }

    private static List<Header> headers(Message message, String delayHeader) throws JMSException {
        List<Header> headers = new ArrayList<>();
        Enumeration<?> names = message.getPropertyNames();
        for (Object name : Collections.list(names)) {
            String header = (String) name;
            // Properties of the JMS standard are set by the provider.
            if (!header.equals(delayHeader) && !header.startsWith("JMSX")) {
                headers.add(Header.of(header, message.getObjectProperty(header)));
            }
        }
        return headers;
    }

    @Override
    public void send(DelayedMessage message) {
        template.execute(session -> {
            try (MessageProducer producer = session.createProducer(destination(session, message.field(DESTINATION)))) {
                producer.send(
                        written(session, message),
                        Integer.parseInt(message.field(DELIVERY_MODE)),
                        Integer.parseInt(message.field(PRIORITY)),
                        Long.parseLong(message.field(TIME_TO_LIVE)));
            }
            return null;
        });
    }

    private static Destination destination(Session session, String name) throws JMSException {
        return name.startsWith(TOPIC)
                ? session.createTopic(name.substring(TOPIC.length()))
                : session.createQueue(name.substring(QUEUE.length()));
    }

    private static Message written(Session session, DelayedMessage waited) throws JMSException {
        Message message = withBody(session, waited);
        for (Header header : waited.headers()) {
            message.setObjectProperty(header.name(), header.typed());
        }
        String replyTo = waited.fields().get(REPLY_TO);
        if (replyTo != null) {
            message.setJMSReplyTo(destination(session, replyTo));
        }
        if (waited.fields().containsKey(TYPE)) {
            message.setJMSType(waited.field(TYPE));
        }
        if (waited.fields().containsKey(CORRELATION_ID)) {
            message.setJMSCorrelationID(waited.field(CORRELATION_ID));
        }
        return message;
    }

    private static Message withBody(Session session, DelayedMessage waited) throws JMSException {
        byte[] body = waited.bytes();
        return switch (waited.field(KIND)) {
            case TEXT -> session.createTextMessage(body == null ? null : new String(body, StandardCharsets.UTF_8));
            case BYTES -> {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(Objects.requireNonNull(body));
                yield message;
            }
            default -> session.createMessage();
        };
    }
}

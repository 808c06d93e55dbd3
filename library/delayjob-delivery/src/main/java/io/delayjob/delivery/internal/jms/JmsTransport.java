package io.delayjob.delivery.internal.jms;

import io.delayjob.ClaimedJob;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.internal.broker.Address;
import io.delayjob.delivery.internal.broker.JobMessage;
import io.delayjob.delivery.internal.broker.UnwritableException;
import io.delayjob.delivery.spi.BlockingTransport;
import io.delayjob.delivery.spi.DeliveryOutcome;
import io.delayjob.support.Checks;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.Map;
import java.util.Set;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jms.InvalidDestinationException;
import org.springframework.jms.JmsException;
import org.springframework.jms.JmsSecurityException;
import org.springframework.jms.core.JmsTemplate;

/**
 * Sends jobs as persistent text messages to {@code jms:orders}, {@code jms:queue:orders} or {@code jms:topic:events}. A send of a
 * persistent message returns when the broker has it.
 */
public final class JmsTransport extends BlockingTransport {

    private static final String QUEUE = "queue:";
    private static final String TOPIC = "topic:";

    private final ConnectionFactory connections;
    private final JmsTemplate queues;
    private final JmsTemplate topics;

    /** Sends over the connections of the application. */
    public JmsTransport(ConnectionFactory connections) {
        super("jms");
        this.connections = connections;
        this.queues = template(connections, false);
        this.topics = template(connections, true);
    }

    /** The connections that it sends over. */
    public ConnectionFactory connections() {
        return connections;
    }

    private static JmsTemplate template(ConnectionFactory connections, boolean topics) {
        JmsTemplate template = new JmsTemplate(connections);
        template.setPubSubDomain(topics);
        template.setExplicitQosEnabled(true);
        template.setDeliveryMode(DeliveryMode.PERSISTENT);
        return template;
    }

    @Override
    public Set<String> schemes() {
        return Set.of("jms");
    }

    @Override
    public void check(Binding binding) {
        Address address = address(binding);
        if (name(address).isBlank()) {
            throw address.malformed("names no queue or topic; write it as in jms:orders or jms:topic:events");
        }
    }

    private static Address address(Binding binding) {
        return Address.of(binding, Set.of());
    }

    private static String name(Address address) {
        String place = address.place();
        return place.startsWith(QUEUE) || place.startsWith(TOPIC) ? place.substring(QUEUE.length()) : place;
    }

    @Override
    protected DeliveryOutcome send(Binding binding, ClaimedJob job) {
        Address address = address(binding);
        JmsTemplate template = address.place().startsWith(TOPIC) ? topics : queues;
        JobMessage message = JobMessage.of(job);
        try {
            template.send(name(address), session -> written(session, message));
            return new DeliveryOutcome.Delivered(null);
        } catch (UnwritableException e) {
            return new DeliveryOutcome.Undeliverable(binding.target() + ": " + e.getMessage());
        } catch (InvalidDestinationException | JmsSecurityException e) {
            return new DeliveryOutcome.Refused(reason(binding, e));
        } catch (JmsException e) {
            return JmsFailures.isTooLong(e)
                    ? new DeliveryOutcome.Undeliverable(reason(binding, e))
                    : new DeliveryOutcome.Failed(reason(binding, e));
        }
    }

    private static String reason(Binding binding, JmsException failure) {
        return binding.target() + ": " + NestedExceptionUtils.getMostSpecificCause(failure);
    }

    private static Message written(Session session, JobMessage message) throws JMSException {
        Message written = session.createTextMessage(message.text());
        for (Map.Entry<String, String> header : message.headers().entrySet()) {
            setProperty(written, JmsNames.property(header.getKey()), header.getValue());
        }
        return written;
    }

    private static void setProperty(Message message, String name, String value) {
        try {
            message.setStringProperty(name, value);
        } catch (JMSException | RuntimeException e) {
            throw new UnwritableException(
                    "JMS does not take header " + Checks.shown(name) + " as it is: " + e.getMessage(), e);
        }
    }
}

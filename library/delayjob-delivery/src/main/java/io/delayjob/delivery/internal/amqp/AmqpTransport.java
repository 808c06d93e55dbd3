package io.delayjob.delivery.internal.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.delayjob.ClaimedJob;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.internal.broker.Address;
import io.delayjob.delivery.internal.broker.JobMessage;
import io.delayjob.delivery.internal.broker.UnwritableException;
import io.delayjob.delivery.spi.BlockingTransport;
import io.delayjob.delivery.spi.DeliveryOutcome;
import io.delayjob.support.Checks;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/**
 * Sends jobs as persistent messages to an exchange, {@code amqp:orders/paid} with the routing key {@code paid}, or through the default
 * exchange to a queue, {@code amqp:orders}. The routing key may be that of a header: {@code amqp:orders/?routing-key-header=region}.
 */
public final class AmqpTransport extends BlockingTransport {

    private static final String ROUTING_KEY_HEADER = "routing-key-header";
    private static final int LONGEST_NAME = 255;
    private static final int PERSISTENT = 2;

    private final ConfirmedSends sends;

    /** Sends over the connections of the application. */
    public AmqpTransport(ConnectionFactory connections) {
        super("amqp");
        this.sends = new ConfirmedSends(connections);
    }

    @Override
    public Set<String> schemes() {
        return Set.of("amqp");
    }

    @Override
    public void check(Binding binding) {
        Address address = address(binding);
        if (address.place().isBlank() || address.place().equals("/")) {
            throw address.malformed(
                    "names no queue or exchange; write it as in amqp:queue or amqp:exchange/routing.key");
        }
        String exchange = exchange(address);
        String key = address.place().substring(address.place().indexOf('/') + 1);
        if (bytes(exchange) > LONGEST_NAME || bytes(key) > LONGEST_NAME) {
            throw address.malformed("has a name or routing key of more than " + LONGEST_NAME + " bytes");
        }
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static Address address(Binding binding) {
        return Address.of(binding, Set.of(ROUTING_KEY_HEADER));
    }

    private static String exchange(Address address) {
        int slash = address.place().indexOf('/');
        return slash < 0 ? "" : address.place().substring(0, slash);
    }

    @Override
    protected DeliveryOutcome send(Binding binding, ClaimedJob job) {
        Address address = address(binding);
        JobMessage message = JobMessage.of(job);
        String stated = address.place().substring(address.place().indexOf('/') + 1);
        String routingKey = address.header(ROUTING_KEY_HEADER, message.headers(), stated);
        Optional<String> tooLong = tooLong(job, routingKey, message);
        if (tooLong.isPresent()) {
            return new DeliveryOutcome.Undeliverable(binding.target() + ": " + tooLong.get());
        }
        try {
            sends.send(exchange(address), routingKey, properties(job, message), message.body(), binding.timeout());
            return new DeliveryOutcome.Delivered(null);
        } catch (UnroutableException e) {
            return new DeliveryOutcome.Refused(binding.target() + ": " + e.getMessage());
        } catch (UnwritableException e) {
            return new DeliveryOutcome.Undeliverable(binding.target() + ": " + e.getMessage());
        } catch (AmqpException e) {
            return outcome(binding, e);
        }
    }

    /** The first text of a job that is too long for AMQP, as a sentence; empty if there is none. */
    private static Optional<String> tooLong(ClaimedJob job, String routingKey, JobMessage message) {
        return Stream.concat(
                        Stream.of(Map.entry("the id of the job", job.id()), Map.entry("the routing key", routingKey)),
                        message.headers().keySet().stream().map(name -> Map.entry("the name of a header", name)))
                .filter(text -> bytes(text.getValue()) > LONGEST_NAME)
                .map(text -> "%s has %d bytes, of which AMQP takes at most %d: %s"
                        .formatted(text.getKey(), bytes(text.getValue()), LONGEST_NAME, Checks.shown(text.getValue())))
                .findFirst();
    }

    private static BasicProperties properties(ClaimedJob job, JobMessage message) {
        return new BasicProperties.Builder()
                .contentType(message.contentType())
                .contentEncoding(StandardCharsets.UTF_8.name())
                .deliveryMode(PERSISTENT)
                .messageId(job.id())
                .headers(new TreeMap<>(message.headers()))
                .build();
    }

    private static DeliveryOutcome outcome(Binding binding, AmqpException failure) {
        String reason = binding.target() + ": " + AmqpFailures.reason(failure);
        return switch (AmqpFailures.code(failure)) {
            case AmqpFailures.NOT_FOUND, AmqpFailures.ACCESS_REFUSED -> new DeliveryOutcome.Refused(reason);
            // Also what a message of more bytes than the broker takes gets.
            case AmqpFailures.PRECONDITION_FAILED, AmqpFailures.CONTENT_TOO_LARGE ->
                new DeliveryOutcome.Undeliverable(reason);
            default -> new DeliveryOutcome.Failed(reason);
        };
    }
}

package io.delayjob.delivery.internal.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.impl.ContentHeaderPropertyWriter;
import io.delayjob.JobOptions;
import io.delayjob.delivery.internal.broker.DelayedMessage;
import io.delayjob.delivery.internal.broker.MessageSender;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.support.DefaultMessagePropertiesConverter;

/** Messages by AMQP that wait, and their way when they are due. Their properties wait in AMQP's own form, so none changes its type. */
public final class AmqpMessages implements MessageSender {

    private static final String EXCHANGE = "exchange";
    private static final String ROUTING_KEY = "routingKey";
    private static final String PROPERTIES = "properties";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final DefaultMessagePropertiesConverter CONVERTER = new DefaultMessagePropertiesConverter();

    private final ConfirmedSends sends;

    /** Sends over the connections of the application. */
    public AmqpMessages(ConnectionFactory connections) {
        this.sends = new ConfirmedSends(connections);
    }

    @Override
    public String broker() {
        return "amqp";
    }

    /** Copies a message, without its delay header, for storage until its time. */
    public static DelayedMessage of(String exchange, String routingKey, Message message, String delayHeader) {
        BasicProperties all = CONVERTER.fromMessageProperties(message.getMessageProperties(), "UTF-8");
        Map<String, Object> headers = new HashMap<>(all.getHeaders() == null ? Map.of() : all.getHeaders());
        headers.remove(delayHeader);
        BasicProperties kept = all.builder().headers(headers).build();
        return DelayedMessage.of(
                "amqp",
                Map.of(EXCHANGE, exchange, ROUTING_KEY, routingKey, PROPERTIES, written(kept)),
                List.of(),
                message.getBody());
    }

    /** The priority of a message's job. AMQP's usual one is 0, with none below it: 1 to 5 become 5 to 9, and higher ones 9. */
    public static int jobPriority(@Nullable Integer priority) {
        return priority == null
                ? JobOptions.USUAL_PRIORITY
                : Math.min(JobOptions.USUAL_PRIORITY + Math.max(0, priority), 9);
    }

    private static String written(BasicProperties properties) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            // Weight and body size, which the reader of the properties expects first. They matter in a frame only.
            out.writeShort(0);
            out.writeLong(0);
            properties.writePropertiesTo(new ContentHeaderPropertyWriter(out));
            out.flush();
            return DelayedMessage.encoded(bytes.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void send(DelayedMessage message) throws Exception {
        byte[] properties = Base64.getDecoder().decode(message.field(PROPERTIES));
        byte[] body = message.bytes();
        sends.send(
                message.field(EXCHANGE),
                message.field(ROUTING_KEY),
                new BasicProperties(new DataInputStream(new ByteArrayInputStream(properties))),
                body == null ? new byte[0] : body,
                TIMEOUT);
    }
}

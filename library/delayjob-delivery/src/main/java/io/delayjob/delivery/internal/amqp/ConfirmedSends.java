package io.delayjob.delivery.internal.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ReturnListener;
import io.delayjob.delivery.internal.broker.UnwritableException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.UncategorizedAmqpException;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.RabbitUtils;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * Sends messages and waits until the broker has them: by publisher confirms where the application's connections have them, else in a
 * transaction of the channel. A message that belongs in no queue comes back before either, on the same channel.
 */
final class ConfirmedSends {

    private final RabbitTemplate template;
    private final boolean confirms;

    ConfirmedSends(ConnectionFactory connections) {
        this.confirms = connections.isPublisherConfirms() || connections.isSimplePublisherConfirms();
        this.template = new RabbitTemplate(connections);
        template.setChannelTransacted(!confirms);
    }

    /**
     * Sends a message.
     *
     * @throws UnroutableException if it belongs in no queue
     * @throws UnwritableException if no message can have it
     * @throws org.springframework.amqp.AmqpException if the broker does not confirm it
     */
    void send(String exchange, String routingKey, BasicProperties properties, byte[] body, Duration timeout) {
        try {
            template.execute(channel -> {
                send(channel, exchange, routingKey, properties, body, timeout);
                return true;
            });
        } catch (UncategorizedAmqpException e) {
            throw e.getCause() instanceof UnwritableException unwritable ? unwritable : e;
        }
    }

    private void send(
            Channel channel,
            String exchange,
            String routingKey,
            BasicProperties properties,
            byte[] body,
            Duration timeout)
            throws IOException, TimeoutException, InterruptedException {
        AtomicReference<@Nullable String> returned = new AtomicReference<>();
        boolean confirmed = false;
        ReturnListener listener = (code, text, from, key, itsProperties, itsBody) -> returned.set(code + " " + text);
        channel.addReturnListener(listener);
        try {
            channel.basicPublish(exchange, routingKey, true, properties, body);
            awaitConfirm(channel, timeout);
            confirmed = true;
        } catch (IllegalArgumentException e) {
            throw new UnwritableException(String.valueOf(e.getMessage()), e);
        } finally {
            channel.removeReturnListener(listener);
            if (!confirmed) {
                // A late word of the broker about this message is not one about the next.
                RabbitUtils.setPhysicalCloseRequired(channel, true);
            }
        }
        if (returned.get() != null) {
            throw new UnroutableException("exchange '" + exchange + "' has no queue for routing key '" + routingKey
                    + "' (" + returned.get() + "); declare the queue and its binding");
        }
    }

    private void awaitConfirm(Channel channel, Duration timeout)
            throws IOException, TimeoutException, InterruptedException {
        if (!confirms) {
            RabbitUtils.commitIfNecessary(channel);
        } else if (!channel.waitForConfirms(timeout.toMillis())) {
            throw new IOException("the broker refused the message (nack)");
        }
    }
}

package io.delayjob.delivery.amqp;

import io.delayjob.delivery.internal.amqp.AmqpMessages;
import io.delayjob.delivery.internal.broker.DelayedSends;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/**
 * A {@link RabbitTemplate} whose messages wait in delayjob if they have the header that {@code delayjob.delivery.delay-header} names, and
 * then go to the same exchange with the same routing key. Everything else goes as with a {@code RabbitTemplate}, and so does what a
 * method sends that waits for a reply. With that property set, it is the application's template unless there is another bean.
 */
public class DelayingRabbitTemplate extends RabbitTemplate {

    private static final String NATIVE_HEADER = "x-delay";

    private final Supplier<DelayedSends> sends;

    /**
     * A template; it has no connection factory yet.
     *
     * @param sends lets messages wait
     */
    public DelayingRabbitTemplate(Supplier<DelayedSends> sends) {
        this.sends = sends;
    }

    /**
     * Sends a message, or lets it wait.
     *
     * @throws IllegalArgumentException if the header has no delay
     * @throws io.delayjob.JobSubmissionException if a message that is to wait could not be stored
     */
    @Override
    public void send(
            @Nullable String exchange,
            @Nullable String routingKey,
            Message message,
            @Nullable CorrelationData correlationData) {
        DelayedSends delayed = sends.get();
        Duration delay = delayed.delay(stated(message.getMessageProperties(), delayed.header()));
        if (delay == null) {
            super.send(exchange, routingKey, message, correlationData);
            return;
        }
        String to = exchange == null ? getExchange() : exchange;
        String key = routingKey == null ? getRoutingKey() : routingKey;
        delayed.submit(
                AmqpMessages.of(to, key, message, delayed.header()),
                delay,
                AmqpMessages.jobPriority(message.getMessageProperties().getPriority()));
        if (correlationData != null) {
            correlationData.getFuture().complete(new CorrelationData.Confirm(true, null));
        }
    }

    private static @Nullable Object stated(MessageProperties properties, String header) {
        Object stated = properties.getHeader(header);
        return stated == null && header.equals(NATIVE_HEADER) ? properties.getDelayLong() : stated;
    }
}

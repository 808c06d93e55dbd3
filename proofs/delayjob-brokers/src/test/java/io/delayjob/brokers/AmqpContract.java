package io.delayjob.brokers;

import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.core.AmqpAdmin;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.core.RabbitTemplate;

/** Delivery to a broker that speaks AMQP 0-9-1. */
abstract class AmqpContract extends BrokerContract {

    @Override
    String target() {
        return "amqp:orders";
    }

    @Override
    Consumer consumer(Shop opened) {
        // A message that was sent before the queue was there may end the connection by which it is declared.
        await().ignoreExceptionsInstanceOf(AmqpException.class)
                .until(() -> opened.bean(AmqpAdmin.class).declareQueue(new Queue("orders", true)) != null);
        RabbitTemplate template =
                new RabbitTemplate(opened.bean(RabbitTemplate.class).getConnectionFactory());
        return () -> {
            Message message = template.receive("orders", 500);
            return message == null ? List.of() : List.of(read(message));
        };
    }

    private static Received read(Message message) {
        Map<String, String> headers = new TreeMap<>();
        message.getMessageProperties().getHeaders().forEach((name, value) -> headers.put(name, String.valueOf(value)));
        Map<String, Object> all = message.getMessageProperties().getHeaders();
        if (headers.containsKey("shop")
                && !(Long.valueOf(3).equals(all.get("count"))
                        && List.of("a", true).equals(all.get("list")))) {
            throw new AssertionError("not as it was written: " + message);
        }
        return new Received(
                String.valueOf(message.getMessageProperties().getMessageId()),
                new String(message.getBody(), StandardCharsets.UTF_8),
                headers,
                Instant.now());
    }

    @Override
    void send(Shop sender, String id, String body, @Nullable String delay) {
        sender.bean(RabbitTemplate.class).convertAndSend("", "orders", body, message -> {
            message.getMessageProperties().setMessageId(id);
            message.getMessageProperties().setHeader("shop", "north");
            message.getMessageProperties().setHeader("count", 3L);
            message.getMessageProperties().setHeader("list", List.of("a", true));
            if (delay != null) {
                message.getMessageProperties().setHeader(DELAY, delay);
            }
            return message;
        });
    }

    @Override
    List<String> missingTargets() {
        return List.of("amqp:missing", "amqp:amq.direct/missing.key", "amqp:missing/some.key");
    }

    @Override
    List<String> malformedTargets() {
        return List.of("amqp:/", "amqp://localhost/orders", "amqp:orders?colour=red");
    }
}

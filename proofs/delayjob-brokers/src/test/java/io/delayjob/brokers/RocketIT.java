package io.delayjob.brokers;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.spring.core.RocketMQTemplate;
import org.apache.rocketmq.spring.support.RocketMQHeaders;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.support.MessageBuilder;

/** Delivery to RocketMQ. */
final class RocketIT extends BrokerContract {

    private final RocketBroker broker = new RocketBroker();

    @Override
    Broker broker() {
        return broker;
    }

    @Override
    List<String> properties() {
        return List.of(
                "rocketmq.name-server=" + broker.nameServer(),
                "rocketmq.producer.group=shop",
                "rocketmq.producer.send-message-timeout=60000",
                "rocketmq.producer.max-message-size=1000000");
    }

    /** In a small account it refuses messages for a while instead, since it takes a quarter of a minute to stop. */
    @Override
    void restart() throws Exception {
        if (JOBS > 1000) {
            super.restart();
            return;
        }
        broker.refuse(true);
        Thread.sleep(500);
        broker.refuse(false);
    }

    @Override
    String target() {
        return "rocketmq:orders?tag-header=customer&keys-header=customer";
    }

    @Override
    Consumer consumer(Shop opened) throws Exception {
        broker.createTopic("orders");
        DefaultLitePullConsumer consumer = new DefaultLitePullConsumer("tests");
        consumer.setNamesrvAddr(broker.nameServer());
        consumer.subscribe("orders", "*");
        consumer.setPollTimeoutMillis(500);
        consumer.start();
        return new Consumer() {
            @Override
            public List<Received> poll() {
                return consumer.poll().stream().map(RocketIT::read).toList();
            }

            @Override
            public void close() {
                consumer.shutdown();
            }
        };
    }

    private static Received read(MessageExt message) {
        String customer = message.getProperty("customer");
        if (!customer.equals(message.getTags()) || !customer.equals(message.getKeys())) {
            throw new AssertionError("tag " + message.getTags() + ", keys " + message.getKeys());
        }
        return new Received(
                String.valueOf(message.getProperty("delayjob-id")),
                new String(message.getBody(), StandardCharsets.UTF_8),
                message.getProperties(),
                Instant.now());
    }

    @Override
    void send(Shop sender, String id, String body, @Nullable String delay) {
        MessageBuilder<String> message = MessageBuilder.withPayload(body)
                .setHeader(RocketMQHeaders.KEYS, "north")
                .setHeader("customer", "north")
                .setHeader("delayjob-id", id)
                .setHeader("shop", "north");
        if (delay != null) {
            message.setHeader(DELAY, delay);
        }
        sender.bean(RocketMQTemplate.class).syncSend("orders:north", message.build());
    }

    @Override
    List<String> missingTargets() {
        return List.of("rocketmq:missing");
    }

    @Override
    List<String> malformedTargets() {
        return List.of("rocketmq:two%20words", "rocketmq://localhost/orders", "rocketmq:orders?colour=red");
    }
}

package io.delayjob.brokers;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.KafkaTemplate;

/** Delivery to Kafka. */
final class KafkaIT extends BrokerContract {

    private final KafkaBroker broker = new KafkaBroker();

    KafkaIT() throws Exception {
        broker.format();
    }

    @Override
    Broker broker() {
        return broker;
    }

    @Override
    List<String> properties() {
        return List.of("spring.kafka.bootstrap-servers=" + broker.url());
    }

    @Override
    String target() {
        return "kafka:orders?key-header=customer";
    }

    @Override
    Consumer consumer(Shop opened) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.url()))) {
            admin.createTopics(List.of(new NewTopic("orders", 2, (short) 1)))
                    .all()
                    .get();
        }
        return new Records(broker.url());
    }

    @Override
    @SuppressWarnings("unchecked")
    void send(Shop sender, String id, String body, @Nullable String delay) throws Exception {
        ProducerRecord<String, String> record = new ProducerRecord<>("orders", "north", body);
        record.headers()
                .add("delayjob-id", id.getBytes(StandardCharsets.UTF_8))
                .add("customer", "north".getBytes(StandardCharsets.UTF_8))
                .add("shop", "north".getBytes(StandardCharsets.UTF_8));
        if (delay != null) {
            record.headers().add(DELAY, delay.getBytes(StandardCharsets.UTF_8));
        }
        sender.bean(KafkaTemplate.class).send(record).get();
    }

    @Override
    List<String> missingTargets() {
        return List.of("kafka:missing");
    }

    @Override
    List<String> malformedTargets() {
        return List.of("kafka:two%20words", "kafka://localhost/orders", "kafka:orders?colour=red");
    }

    /** The records of a topic, whose key must be the customer. */
    private static final class Records implements Consumer {

        private final KafkaConsumer<String, String> consumer;

        Records(String url) {
            this.consumer = new KafkaConsumer<>(
                    Map.of("bootstrap.servers", url, "auto.offset.reset", "earliest"),
                    new StringDeserializer(),
                    new StringDeserializer());
            consumer.assign(List.of(new TopicPartition("orders", 0), new TopicPartition("orders", 1)));
        }

        @Override
        public List<Received> poll() {
            List<Received> all = new ArrayList<>();
            consumer.poll(Duration.ofMillis(200)).forEach(record -> all.add(read(record)));
            return all;
        }

        private static Received read(ConsumerRecord<String, String> record) {
            Map<String, String> headers = new TreeMap<>();
            record.headers()
                    .forEach(header -> headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8)));
            if (!record.key().equals(headers.get("customer"))) {
                throw new AssertionError("the key is " + record.key());
            }
            return new Received(String.valueOf(headers.get("delayjob-id")), record.value(), headers, Instant.now());
        }

        @Override
        public void close() {
            consumer.close();
        }
    }
}

package io.delayjob.delivery.internal.kafka;

import io.delayjob.delivery.internal.broker.DelayedMessage;
import io.delayjob.delivery.internal.broker.DelayedMessage.Header;
import io.delayjob.delivery.internal.broker.MessageSender;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Records that wait, and their way to Kafka when they are due. */
public final class KafkaMessages implements MessageSender {

    private static final String TOPIC = "topic";
    private static final String PARTITION = "partition";
    private static final String KEY = "key";
    private static final int TIMEOUT_SECONDS = 30;

    private final KafkaTransport transport;

    /** Sends as the transport does. */
    public KafkaMessages(KafkaTransport transport) {
        this.transport = transport;
    }

    @Override
    public String broker() {
        return "kafka";
    }

    /** Copies a record, without its delay header, for storage until its time. */
    static DelayedMessage of(
            ProducerRecord<?, ?> record, byte @Nullable [] key, byte @Nullable [] value, String delayHeader) {
        Map<String, String> fields = new TreeMap<>();
        fields.put(TOPIC, record.topic());
        if (record.partition() != null) {
            fields.put(PARTITION, record.partition().toString());
        }
        if (key != null) {
            fields.put(KEY, DelayedMessage.encoded(key));
        }
        List<Header> headers = new ArrayList<>();
        record.headers().forEach(header -> {
            if (!header.key().equals(delayHeader)) {
                headers.add(Header.of(header.key(), header.value()));
            }
        });
        return DelayedMessage.of("kafka", fields, headers, value);
    }

    @Override
    public void send(DelayedMessage message) throws Exception {
        String partition = message.fields().get(PARTITION);
        String key = message.fields().get(KEY);
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                message.field(TOPIC),
                partition == null ? null : Integer.valueOf(partition),
                key == null ? null : Base64.getDecoder().decode(key),
                message.bytes());
        message.headers().forEach(header -> record.headers().add(header.name(), (byte[]) header.typed()));
        transport.sent(record).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }
}

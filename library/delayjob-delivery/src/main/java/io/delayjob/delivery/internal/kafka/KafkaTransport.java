package io.delayjob.delivery.internal.kafka;

import io.delayjob.ClaimedJob;
import io.delayjob.delivery.Binding;
import io.delayjob.delivery.internal.broker.Address;
import io.delayjob.delivery.internal.broker.JobMessage;
import io.delayjob.delivery.spi.BlockingTransport;
import io.delayjob.delivery.spi.DeliveryOutcome;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;

/**
 * Sends jobs as records to {@code kafka:orders}, and waits until all replicas in sync have them. The key of a record is the id of the job,
 * or a header of it: {@code kafka:orders?key-header=customer}.
 */
public final class KafkaTransport extends BlockingTransport {

    private static final String KEY_HEADER = "key-header";
    private static final int MAX_BLOCK_MILLIS = 5000;

    private final KafkaTemplate<byte[], byte[]> template;

    /** Sends to the brokers that the application's producers send to, by a producer of its own. */
    public KafkaTransport(ProducerFactory<?, ?> producers) {
        super("kafka");
        this.template = new KafkaTemplate<>(ofBytes(producers));
    }

    @SuppressWarnings("unchecked")
    private static ProducerFactory<byte[], byte[]> ofBytes(ProducerFactory<?, ?> producers) {
        // Its serializers are those of the copy.
        return (ProducerFactory<byte[], byte[]>) producers.copyWithConfigurationOverride(Map.of(
                ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class,
                ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG,
                ByteArraySerializer.class,
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                MAX_BLOCK_MILLIS));
    }

    @Override
    public Set<String> schemes() {
        return Set.of("kafka");
    }

    @Override
    public void check(Binding binding) {
        Address address = address(binding);
        if (!address.place().matches("[A-Za-z0-9._-]{1,249}")) {
            throw address.malformed(
                    "does not name a topic of 1 to 249 of A-Z a-z 0-9 . _ -; write it as in kafka:orders");
        }
    }

    private static Address address(Binding binding) {
        return Address.of(binding, Set.of(KEY_HEADER));
    }

    @Override
    protected DeliveryOutcome send(Binding binding, ClaimedJob job) throws InterruptedException {
        try {
            sent(record(address(binding), job)).get();
            return new DeliveryOutcome.Delivered(null);
        } catch (ExecutionException e) {
            return outcome(binding, Objects.requireNonNullElse(e.getCause(), e));
        } catch (RuntimeException e) {
            return outcome(binding, e);
        }
    }

    private static ProducerRecord<byte[], byte[]> record(Address address, ClaimedJob job) {
        JobMessage message = JobMessage.of(job);
        String key = address.header(KEY_HEADER, message.headers(), job.id());
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(address.place(), bytes(key), message.body());
        message.headers().forEach((name, value) -> record.headers().add(name, bytes(value)));
        return record;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Sends a record as it is. */
    CompletableFuture<?> sent(ProducerRecord<byte[], byte[]> record) {
        return template.isTransactional()
                ? Objects.requireNonNull(template.executeInTransaction(open -> open.send(record)))
                : template.send(record);
    }

    private static DeliveryOutcome outcome(Binding binding, Throwable failure) {
        Throwable cause = Objects.requireNonNullElse(
                failure.getCause() instanceof org.apache.kafka.common.KafkaException ? failure.getCause() : null,
                failure);
        String reason = binding.target() + ": " + cause.getMessage();
        if (cause instanceof RecordTooLargeException) {
            return new DeliveryOutcome.Undeliverable(reason);
        }
        return cause instanceof InvalidTopicException || cause instanceof AuthorizationException
                ? new DeliveryOutcome.Refused(reason)
                : new DeliveryOutcome.Failed(reason);
    }

    @Override
    public void close() {
        super.close();
        template.destroy();
    }
}

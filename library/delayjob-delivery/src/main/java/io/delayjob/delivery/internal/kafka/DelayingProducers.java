package io.delayjob.delivery.internal.kafka;

import io.delayjob.delivery.internal.broker.DelayedSends;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.core.ProducerPostProcessor;

/** Lets records with a delay wait: those of all producers of a factory, hence of all its templates. */
public final class DelayingProducers implements ProducerPostProcessor<Object, Object> {

    private final ProducerFactory<?, ?> factory;
    private final Supplier<DelayedSends> sends;
    private @Nullable Serializer<Object> keys;
    private @Nullable Serializer<Object> values;

    /** For the producers of a factory. */
    public DelayingProducers(ProducerFactory<?, ?> factory, Supplier<DelayedSends> sends) {
        this.factory = factory;
        this.sends = sends;
    }

    @Override
    @SuppressWarnings("unchecked")
    public Producer<Object, Object> apply(Producer<Object, Object> producer) {
        return (Producer<Object, Object>) Proxy.newProxyInstance(
                Producer.class.getClassLoader(), new Class<?>[] {Producer.class}, new Delaying(producer));
    }

    private final class Delaying implements InvocationHandler {

        private final Producer<Object, Object> producer;

        Delaying(Producer<Object, Object> producer) {
            this.producer = producer;
        }

        @Override
        public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
                throws Throwable {
            if (method.getName().equals("send") && given != null && given[0] instanceof ProducerRecord<?, ?> record) {
                Duration delay = delay(record);
                if (delay != null) {
                    return submitted(record, delay, given.length > 1 ? (Callback) given[1] : null);
                }
            }
            try {
                return method.invoke(producer, given);
            } catch (InvocationTargetException e) {
                throw e.getTargetException();
            }
        }
    }

    private @Nullable Duration delay(ProducerRecord<?, ?> record) {
        Header header = record.headers().lastHeader(sends.get().header());
        return sends.get().delay(header == null ? null : header.value());
    }

    private CompletableFuture<RecordMetadata> submitted(
            ProducerRecord<?, ?> record, Duration delay, @Nullable Callback callback) {
        sends.get()
                .submit(
                        KafkaMessages.of(
                                record,
                                keys().serialize(record.topic(), record.headers(), record.key()),
                                values().serialize(record.topic(), record.headers(), record.value()),
                                sends.get().header()),
                        delay);
        RecordMetadata metadata = metadata(record);
        if (callback != null) {
            callback.onCompletion(metadata, null);
        }
        return CompletableFuture.completedFuture(metadata);
    }

    /** Of a record that has no offset yet, and maybe no partition. */
    private static RecordMetadata metadata(ProducerRecord<?, ?> record) {
        int partition = Objects.requireNonNullElse(record.partition(), RecordMetadata.UNKNOWN_PARTITION);
        return new RecordMetadata(new TopicPartition(record.topic(), partition), -1, 0, -1, -1, -1);
    }

    private synchronized Serializer<Object> keys() {
        Serializer<Object> made = keys;
        if (made == null) {
            made = serializer(true);
            keys = made;
        }
        return made;
    }

    private synchronized Serializer<Object> values() {
        Serializer<Object> made = values;
        if (made == null) {
            made = serializer(false);
            values = made;
        }
        return made;
    }

    /** The serializer of the producers of the factory: one given to the factory, or one of the class in its configuration. */
    @SuppressWarnings("unchecked")
    private Serializer<Object> serializer(boolean ofKeys) {
        Supplier<?> supplier = ofKeys ? factory.getKeySerializerSupplier() : factory.getValueSerializerSupplier();
        Object given = supplier == null ? null : supplier.get();
        if (given != null) {
            return (Serializer<Object>) given;
        }
        Map<String, Object> configuration = factory.getConfigurationProperties();
        String property =
                ofKeys ? ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG : ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG;
        Serializer<Object> made = (Serializer<Object>) instance(property, configuration.get(property));
        made.configure(configuration, ofKeys);
        return made;
    }

    private static Object instance(String property, @Nullable Object stated) {
        try {
            return stated instanceof Class<?> type
                    ? Utils.newInstance(type)
                    : Utils.newInstance(String.valueOf(stated), Object.class);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(property + " is no class: " + stated, e);
        }
    }
}

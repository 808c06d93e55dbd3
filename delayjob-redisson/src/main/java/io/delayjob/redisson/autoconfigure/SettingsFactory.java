package io.delayjob.redisson.autoconfigure;

import io.delayjob.internal.Checks;
import io.delayjob.redisson.autoconfigure.DelayJobProperties.Queue;
import io.delayjob.redisson.internal.engine.EngineSettings;
import io.delayjob.redisson.internal.engine.ExceptionRules;
import io.delayjob.redisson.internal.engine.QueueSettings;
import io.delayjob.redisson.internal.ledger.Retention;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Makes the engine's settings of the properties; a value out of range is reported with the property it stands in. */
final class SettingsFactory {

    private static final Duration TO_END_BEFORE_THE_PHASE = Duration.ofSeconds(2);
    private static final Pattern PREFIX = Pattern.compile("[^{}\\s]{1,64}");

    private final DelayJobProperties properties;
    private final Duration shutdownPhase;

    SettingsFactory(DelayJobProperties properties, Duration shutdownPhase) {
        this.properties = properties;
        this.shutdownPhase = shutdownPhase;
    }

    EngineSettings settings() {
        checkPrefix();
        return checked(
                "delayjob",
                () -> new EngineSettings(
                        node(),
                        checked("delayjob.default-queue", () -> Checks.queue(properties.defaultQueue())),
                        properties.consume(),
                        defaults(),
                        queues(),
                        maxParamBytes(),
                        properties.submitTimeout(),
                        properties.unableTimeout(),
                        false,
                        shutdownTimeout()));
    }

    private void checkPrefix() {
        if (!PREFIX.matcher(properties.keyPrefix()).matches()) {
            throw new InvalidConfigurationException(
                    "delayjob.key-prefix must have 1 to 64 characters without braces and white space: '"
                            + properties.keyPrefix() + "'",
                    null);
        }
    }

    private int maxParamBytes() {
        long bytes = properties.maxParamSize().toBytes();
        if (bytes < 1 || bytes > Integer.MAX_VALUE) {
            throw new InvalidConfigurationException(
                    "delayjob.max-param-size must be 1B to " + Integer.MAX_VALUE + "B: " + properties.maxParamSize(),
                    null);
        }
        return (int) bytes;
    }

    private String node() {
        String node = properties.node() == null ? NodeNames.random() : properties.node();
        if (!NodeNames.valid(node)) {
            throw new IllegalArgumentException(
                    "node must have 1 to 128 of the characters A-Z a-z 0-9 . _ : -, found '" + node + "'");
        }
        return node;
    }

    private Duration shutdownTimeout() {
        if (properties.shutdownTimeout() != null) {
            return properties.shutdownTimeout();
        }
        Duration left = shutdownPhase.minus(TO_END_BEFORE_THE_PHASE);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private QueueSettings defaults() {
        return new QueueSettings(
                properties.shards(),
                properties.concurrency(),
                properties.lease(),
                properties.maxAttempts(),
                properties.backoff().toBackoff(),
                properties.timeout(),
                null,
                3,
                ExceptionRules.NONE,
                Retention.NONE);
    }

    private Map<String, QueueSettings> queues() {
        Map<String, QueueSettings> settings = new LinkedHashMap<>();
        properties
                .queues()
                .forEach((name, queue) -> settings.put(
                        checked("delayjob.queues", () -> Checks.queue(name)),
                        checked("delayjob.queues." + name, () -> merged(queue, defaults()))));
        return settings;
    }

    private QueueSettings merged(Queue queue, QueueSettings defaults) {
        return new QueueSettings(
                Optional.ofNullable(queue.shards()).orElse(defaults.shards()),
                Optional.ofNullable(queue.concurrency()).orElse(defaults.concurrency()),
                Optional.ofNullable(queue.lease()).orElse(defaults.lease()),
                Optional.ofNullable(queue.maxAttempts()).orElse(defaults.maxAttempts()),
                queue.backoff().toBackoff(properties.backoff().toBackoff()),
                queue.timeout() == null ? defaults.timeout() : queue.timeout(),
                null,
                3,
                ExceptionRules.NONE,
                Retention.NONE);
    }

    private static <S> S checked(String property, Supplier<S> settings) {
        try {
            return settings.get();
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException("in the properties under '" + property + "': " + e.getMessage(), e);
        }
    }
}

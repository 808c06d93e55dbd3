package io.delayjob.spring.autoconfigure;

import io.delayjob.engine.settings.ConsumeSettings;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.NodeQueues;
import io.delayjob.engine.settings.QueueFamily;
import io.delayjob.engine.settings.QueueSettings;
import io.delayjob.engine.settings.SubmitSettings;
import io.delayjob.spring.InvalidConfigurationException;
import io.delayjob.spring.internal.listener.BackoffBeans;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Makes the engine's settings of the properties; a value out of range is reported with the property it stands in. */
final class SettingsFactory {

    private static final Duration TO_END_BEFORE_THE_PHASE = Duration.ofSeconds(2);
    private static final Pattern PREFIX = Pattern.compile("[^{}\\s]{1,64}");

    private final DelayJobProperties properties;
    private final Duration shutdownPhase;
    private final QueueSettingsFactory queues;
    private final List<QueueFamily> families;

    SettingsFactory(
            DelayJobProperties properties, Duration shutdownPhase, BackoffBeans policies, List<QueueFamily> families) {
        this.properties = properties;
        this.shutdownPhase = shutdownPhase;
        this.queues = new QueueSettingsFactory(properties, policies);
        this.families = families;
    }

    EngineSettings settings() {
        checkPrefix();
        String defaultQueue =
                PropertyChecks.of("delayjob.default-queue", () -> Checks.queue(properties.defaultQueue()));
        QueueSettings defaults = queues.defaults();
        return PropertyChecks.under(
                "delayjob",
                () -> new EngineSettings(
                        node(),
                        new NodeQueues(defaultQueue, defaults, queues(defaults), families),
                        new SubmitSettings(maxParamBytes(), properties.submitTimeout(), properties.submitAfterCommit()),
                        new ConsumeSettings(properties.consume(), properties.noHandlerTimeout(), shutdownTimeout())));
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

    private Map<String, QueueSettings> queues(QueueSettings defaults) {
        Map<String, QueueSettings> settings = new LinkedHashMap<>();
        properties
                .queues()
                .forEach((name, queue) -> settings.put(
                        PropertyChecks.of("a name in delayjob.queues", () -> Checks.queue(name)),
                        queues.merged(name, queue, QueueFamily.settings(families, name, defaults))));
        return settings;
    }
}

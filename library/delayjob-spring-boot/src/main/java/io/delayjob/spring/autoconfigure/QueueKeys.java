package io.delayjob.spring.autoconfigure;

import io.delayjob.spring.InvalidConfigurationException;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;

/**
 * Checks the keys of single queues, because Boot ignores an unknown one, such as the name of a queue with a dot that is not in
 * brackets. As everywhere in Boot, environment variables and system properties are not refused.
 */
final class QueueKeys {

    private static final String PREFIX = "delayjob.queues";

    private QueueKeys() {}

    /**
     * Refuses unknown keys.
     *
     * @throws InvalidConfigurationException if keys are unknown; the message names them
     */
    static void refuseUnknown(Environment environment) {
        BindHandler strict = new NoUnboundElementsBindHandler(BindHandler.DEFAULT, new UnboundElementsSourceFilter());
        try {
            Binder.get(environment, strict).bind(PREFIX, Bindable.mapOf(String.class, DelayJobProperties.Queue.class));
        } catch (BindException e) {
            // Any other failure is of a converter that this binder lacks: the properties have been bound before.
            if (e.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
                throw unknown(unbound);
            }
        }
    }

    private static InvalidConfigurationException unknown(UnboundConfigurationPropertiesException unbound) {
        String keys = unbound.getUnboundProperties().stream()
                .map(ConfigurationProperty::getName)
                .map(Object::toString)
                .collect(Collectors.joining(", "));
        return new InvalidConfigurationException(
                keys
                        + " is not a property of a queue; the properties are concurrency, shards, lease, max-attempts, timeout, time-to-live,"
                        + " quarantine-after, priority-boost, index, retry-for, no-retry-for, limits.*, backoff.*, retention.*, replication.* and journal.mode; the name of a queue with a"
                        + " dot is written in brackets, as in " + PREFIX + "[a.b].concurrency",
                unbound);
    }
}

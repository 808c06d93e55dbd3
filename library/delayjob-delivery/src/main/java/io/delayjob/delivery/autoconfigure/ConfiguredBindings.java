package io.delayjob.delivery.autoconfigure;

import io.delayjob.delivery.Binding;
import io.delayjob.delivery.BindingStatus.Origin;
import io.delayjob.delivery.internal.binding.Bindings.Configured;
import io.delayjob.delivery.internal.binding.Transports;
import io.delayjob.spring.InvalidConfigurationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The bindings of properties and beans; those that cannot be used fail the start. */
final class ConfiguredBindings {

    private final Map<String, Configured> byTopic = new HashMap<>();
    private final Map<String, String> topicsByQueue = new HashMap<>();
    private final Transports transports;

    private ConfiguredBindings(Transports transports) {
        this.transports = transports;
    }

    static Map<String, Configured> of(Map<String, Binding> properties, List<Binding> beans, Transports transports) {
        ConfiguredBindings all = new ConfiguredBindings(transports);
        beans.forEach(bean -> all.add(bean, Origin.BEAN));
        properties.values().stream()
                .filter(property -> !all.byTopic.containsKey(property.topic()))
                .forEach(property -> all.add(property, Origin.PROPERTY));
        return all.byTopic;
    }

    private void add(Binding binding, Origin origin) {
        String place = origin == Origin.BEAN
                ? "the Binding bean of topic '" + binding.topic() + "'"
                : "delayjob.delivery.topics." + binding.topic();
        try {
            var unused = transports.of(binding);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationException(place + ": " + e.getMessage(), e);
        }
        if (byTopic.put(binding.topic(), new Configured(binding, origin)) != null) {
            throw new InvalidConfigurationException(place + " is not the only one; bind a topic once", null);
        }
        String other = topicsByQueue.put(binding.queue(), binding.topic());
        if (other != null) {
            throw new InvalidConfigurationException(
                    place + ": queue '" + binding.queue() + "' is that of topic '" + other
                            + "' too; give each topic a queue of its own",
                    null);
        }
    }
}

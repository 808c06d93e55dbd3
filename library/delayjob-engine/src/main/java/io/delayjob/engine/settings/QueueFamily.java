package io.delayjob.engine.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.function.UnaryOperator;

/**
 * Settings for queues whose names begin alike, such as those that a server makes for the topics of a protocol. Settings that name a queue
 * itself take precedence.
 *
 * @param prefix the beginning of their names
 * @param change the settings of these queues, made from those of all queues
 */
public record QueueFamily(String prefix, UnaryOperator<QueueSettings> change) {

    /** The settings of a queue that has none of its own; of several families it is of the one with the longest prefix. */
    public static QueueSettings settings(Collection<QueueFamily> families, String queue, QueueSettings defaults) {
        return families.stream()
                .filter(family -> queue.startsWith(family.prefix()))
                .max(Comparator.comparingInt(family -> family.prefix().length()))
                .map(family -> family.change().apply(defaults))
                .orElse(defaults);
    }
}

package io.delayjob.spring.autoconfigure;

import static java.util.stream.Collectors.joining;

import io.delayjob.spring.InvalidConfigurationException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.core.env.Environment;

/**
 * Checks the keys below {@code delayjob}, because Boot ignores an unknown one, such as a misspelt name. The known keys are those in
 * the configuration metadata on the class path, to which other modules add theirs.
 *
 * <p>As everywhere in Boot, environment variables and system properties are not refused: {@code DELAYJOB_PORT} may come from
 * Kubernetes. The log warns of those that are nearly a known key.
 */
record PropertyKeys(Environment environment, KnownProperties known) {

    private static final Logger log = LoggerFactory.getLogger(PropertyKeys.class);
    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("delayjob");
    private static final ConfigurationPropertyName OURS = PREFIX.append("enabled");
    private static final Predicate<ConfigurationPropertySource> OWN = new UnboundElementsSourceFilter()::apply;

    /**
     * Refuses unknown keys. Refuses nothing if the metadata is missing, as in some ways of packing an application into one jar.
     *
     * @throws InvalidConfigurationException if keys are unknown; the message names them
     */
    static void refuseUnknown(Environment environment, @Nullable ClassLoader classes) {
        KnownProperties known = KnownProperties.below(PREFIX.toString(), classes);
        if (known.has(OURS)) {
            PropertyKeys keys = new PropertyKeys(environment, known);
            keys.hint();
            keys.refuse();
        }
    }

    private void refuse() {
        String complaint = unknown(OWN).map(this::complaint).collect(joining(" "));
        if (!complaint.isEmpty()) {
            throw new InvalidConfigurationException(complaint, null);
        }
    }

    private String complaint(ConfigurationPropertyName key) {
        return key + " is not a property"
                + known.nearest(key)
                        .map(meant -> ": did you mean " + meant + "?")
                        .orElse("; docs/properties.md lists all properties.");
    }

    private void hint() {
        unknown(OWN.negate())
                .forEach(key -> known.nearest(key)
                        .filter(meant -> !isSpeltAs(key, meant))
                        .ifPresent(meant -> log.warn("{} is not a property: did you mean {}?", key, meant)));
    }

    /** An environment variable has one character for a dot, a dash and a bracket. */
    private static boolean isSpeltAs(ConfigurationPropertyName key, String meant) {
        return letters(key.toString()).equalsIgnoreCase(letters(meant));
    }

    private static String letters(String text) {
        return text.replaceAll("[^A-Za-z]", "");
    }

    private Stream<ConfigurationPropertyName> unknown(Predicate<ConfigurationPropertySource> sources) {
        return StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .filter(sources)
                .filter(IterableConfigurationPropertySource.class::isInstance)
                .map(IterableConfigurationPropertySource.class::cast)
                .flatMap(IterableConfigurationPropertySource::stream)
                .filter(PREFIX::isAncestorOf)
                .filter(key -> !known.has(key))
                .distinct();
    }
}

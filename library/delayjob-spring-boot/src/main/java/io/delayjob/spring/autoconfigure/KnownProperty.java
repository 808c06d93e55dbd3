package io.delayjob.spring.autoconfigure;

import static java.util.stream.Collectors.joining;

import java.util.stream.IntStream;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;

/**
 * A property, or a group of them, of the configuration metadata.
 *
 * @param name its name
 * @param open whether anything may stand below it, because it is a map
 */
record KnownProperty(ConfigurationPropertyName name, boolean open) {

    static KnownProperty of(String name, String type) {
        return new KnownProperty(ConfigurationPropertyName.of(name), type.startsWith("java.util.Map"));
    }

    /** Whether a key is this property, an element of it, or below it if it is a map. */
    boolean has(ConfigurationPropertyName key) {
        return name.equals(key)
                || (key.isLastElementIndexed() && name.equals(key.getParent()))
                || (open && name.isAncestorOf(key));
    }

    /** How many letters of a key are to be changed until it is this property, or below it if it is a map. */
    int edits(ConfigurationPropertyName key) {
        return Spelling.edits(letters(stem(key)), letters(name));
    }

    /** The part of a key to compare with this name. */
    private ConfigurationPropertyName stem(ConfigurationPropertyName key) {
        if (open) {
            return key.chop(name.getNumberOfElements());
        }
        return key.isLastElementIndexed() ? key.getParent() : key;
    }

    private static String letters(ConfigurationPropertyName name) {
        return IntStream.range(0, name.getNumberOfElements())
                .mapToObj(element -> name.getElement(element, Form.UNIFORM))
                .collect(joining("."));
    }

    /** The key as it would be if this property was meant. */
    String corrected(ConfigurationPropertyName key) {
        int length = name.getNumberOfElements();
        return open && key.getNumberOfElements() > length
                ? name.append(key.subName(length).toString()).toString()
                : name.toString();
    }
}

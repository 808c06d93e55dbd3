package io.delayjob.server.internal.protocols;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The fields of a JSON object. One that is null counts as missing. Each method throws {@link IllegalArgumentException} with a message that
 * names the field, its value and what belongs there.
 *
 * @param object the object
 */
public record JsonFields(JsonNode object) {

    /** Any value. */
    public Optional<JsonNode> value(String name) {
        return Optional.ofNullable(object.get(name)).filter(value -> !value.isNull());
    }

    /** Any value, which must be there. */
    public JsonNode requiredValue(String name) {
        return value(name).orElseThrow(() -> missing(name));
    }

    /** A string, which must be there. */
    public String requiredText(String name) {
        return text(name).orElseThrow(() -> missing(name));
    }

    /** A string. */
    public Optional<String> text(String name) {
        return value(name).map(value -> {
            if (!value.isString()) {
                throw new IllegalArgumentException(name + " must be a string: " + shown(value));
            }
            return value.asString();
        });
    }

    /**
     * A whole number.
     *
     * @param least the least
     * @param most the most
     * @param unit the unit of the number, for the message
     */
    public @Nullable Long number(String name, long least, long most, String unit) {
        JsonNode value = value(name).orElse(null);
        if (value == null) {
            return null;
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.asLong() < least || value.asLong() > most) {
            throw new IllegalArgumentException(
                    "%s must be a whole number of %s, %d to %d: %s".formatted(name, unit, least, most, shown(value)));
        }
        return value.asLong();
    }

    /** The same of a number that must be there. */
    public long requiredNumber(String name, long least, long most, String unit) {
        Long number = number(name, least, most, unit);
        if (number == null) {
            throw missing(name);
        }
        return number;
    }

    /** Says that a field is missing. */
    public static IllegalArgumentException missing(String name) {
        return new IllegalArgumentException(name + " is missing");
    }

    private static String shown(JsonNode value) {
        String text = value.toString();
        return text.length() > 80 ? text.substring(0, 80) + "…" : text;
    }
}

package io.delayjob.delivery.internal.broker;

import io.delayjob.support.Checks;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message that waits for its time, as the application wrote it. It is the param of a job.
 *
 * @param broker the scheme of its broker, such as {@code kafka}
 * @param fields where it goes, and what it has beside its headers; binary ones in base64
 * @param headers its headers, with their types
 * @param body its body in base64; null for none
 */
public record DelayedMessage(
        String broker,
        Map<String, String> fields,
        List<Header> headers,
        @Nullable String body) {

    /** The message of a body. */
    public static DelayedMessage of(
            String broker, Map<String, String> fields, List<Header> headers, byte @Nullable [] body) {
        return new DelayedMessage(broker, fields, headers, body == null ? null : encoded(body));
    }

    /** Bytes in base64. */
    public static String encoded(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** The body; null for none. */
    public byte @Nullable [] bytes() {
        return body == null ? null : Base64.getDecoder().decode(body);
    }

    /**
     * A header.
     *
     * @param name its name
     * @param type the type of the value: {@code string}, {@code boolean}, {@code byte}, {@code short}, {@code int}, {@code long}, {@code float},
     *     {@code double}, or {@code bytes} in base64
     * @param value the value as text; null for null
     */
    public record Header(String name, String type, @Nullable String value) {

        /**
         * The header of a value.
         *
         * @throws IllegalArgumentException if its type is none of those
         */
        public static Header of(String name, @Nullable Object value) {
            if (value instanceof byte[] bytes) {
                return new Header(name, "bytes", encoded(bytes));
            }
            return new Header(name, typeOf(name, value), value == null ? null : value.toString());
        }

        private static String typeOf(String name, @Nullable Object value) {
            if (value == null || value instanceof String) {
                return "string";
            }
            if (value instanceof Integer) {
                return "int";
            }
            if (value instanceof Boolean
                    || value instanceof Byte
                    || value instanceof Short
                    || value instanceof Long
                    || value instanceof Float
                    || value instanceof Double) {
                return value.getClass().getSimpleName().toLowerCase(Locale.ROOT);
            }
            throw new IllegalArgumentException(
                    "header " + Checks.shown(name) + " is of type "
                            + value.getClass().getName()
                            + ", which cannot wait; use text, a number, a boolean or bytes, or send the message without a delay");
        }

        /** The value, of its type. */
        public @Nullable Object typed() {
            String text = value;
            if (text == null) {
                return null;
            }
            return switch (type) {
                case "boolean" -> Boolean.valueOf(text);
                case "byte" -> Byte.valueOf(text);
                case "short" -> Short.valueOf(text);
                case "int" -> Integer.valueOf(text);
                case "long" -> Long.valueOf(text);
                case "float" -> Float.valueOf(text);
                case "double" -> Double.valueOf(text);
                case "bytes" -> Base64.getDecoder().decode(text);
                default -> text;
            };
        }
    }

    /** A field that every message of its broker has. */
    public String field(String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException("a delayed message to " + broker + " has no " + name);
        }
        return value;
    }
}

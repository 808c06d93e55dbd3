package io.delayjob.spring.autoconfigure;

import io.delayjob.spring.InvalidConfigurationException;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Turns the errors of the engine's own checks, "maxAttempts must be …" or "backoff max must be …", into such that name the property
 * as a user writes it.
 */
final class PropertyChecks {

    private static final String MUST = " must ";

    private PropertyChecks() {}

    /** What is made of several properties under a prefix. */
    static <S> S under(String prefix, Supplier<S> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            int must = message.indexOf(MUST);
            String named =
                    must < 0 ? ": " + message : "." + dashed(message.substring(0, must)) + message.substring(must);
            throw new InvalidConfigurationException(prefix + named, e);
        }
    }

    private static String dashed(String name) {
        return name.replace(' ', '.').replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** What is made of one property, whatever its check calls it. */
    static <S> S of(String property, Supplier<S> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            int must = message.indexOf(MUST);
            throw new InvalidConfigurationException(
                    property + (must < 0 ? ": " + message : message.substring(must)), e);
        }
    }
}

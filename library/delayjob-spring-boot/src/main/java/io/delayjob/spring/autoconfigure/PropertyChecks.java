package io.delayjob.spring.autoconfigure;

import io.delayjob.spring.InvalidConfigurationException;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Turns the errors of the engine's own checks, "maxAttempts must be …" or "backoff max must be …", into errors that name the
 * property as a user writes it.
 */
final class PropertyChecks {

    private PropertyChecks() {}

    /** Makes an object of several properties under a prefix; an error names the property that the check names. */
    static <S> S under(String prefix, Supplier<S> made) {
        return checked(made, prefix, name -> prefix + "." + dashed(name));
    }

    private static String dashed(String name) {
        return name.replace(' ', '.').replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    /** Makes an object of one property; an error names this property, whatever name the check uses. */
    static <S> S of(String property, Supplier<S> made) {
        return checked(made, property, name -> property);
    }

    private static <S> S checked(Supplier<S> made, String place, UnaryOperator<String> property) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            String message = String.valueOf(e.getMessage());
            int must = message.indexOf(" must ");
            throw new InvalidConfigurationException(
                    must < 0
                            ? place + ": " + message
                            : property.apply(message.substring(0, must)) + message.substring(must),
                    e);
        }
    }
}

package io.delayjob.spring.internal.listener;

import io.delayjob.spring.InvalidConfigurationException;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.StringValueResolver;

/**
 * Reads the attributes of one annotation. Text is resolved, and empty text is null. A value that cannot be read or is out of range
 * fails the start; the message names the place of the annotation.
 *
 * @param place the place of the annotation, with which messages begin
 * @param resolver resolves placeholders and SpEL
 */
record Attributes(String place, StringValueResolver resolver) {

    @Nullable String text(String attribute, String stated) {
        return value(attribute, stated, Function.identity());
    }

    /** A name; {@code check} may call it something else in its message. */
    @Nullable String name(String attribute, String stated, Function<String, String> check) {
        return value(attribute, stated, text -> {
            try {
                return check.apply(text);
            } catch (IllegalArgumentException e) {
                String message = String.valueOf(e.getMessage());
                throw new IllegalArgumentException(attribute + message.substring(message.indexOf(" must ")), e);
            }
        });
    }

    @Nullable Integer count(String attribute, String stated) {
        return value(
                attribute, stated, text -> Checks.atLeastOne(whole(attribute, text.strip(), "at least 1"), attribute));
    }

    @Nullable Integer priority(String attribute, String stated) {
        return value(attribute, stated, text -> Checks.priority(whole(attribute, text.strip(), "0 to 9")));
    }

    private static int whole(String attribute, String text, String range) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(attribute + " must be a whole number, " + range + ": '" + text + "'", e);
        }
    }

    @Nullable Double decimal(String attribute, String stated) {
        return value(attribute, stated, text -> {
            try {
                return Double.valueOf(text.strip());
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(attribute + " must be a number: '" + text + "'", e);
            }
        });
    }

    @Nullable Duration duration(String attribute, String stated) {
        return value(attribute, stated, text -> Checks.positive(anyDuration(attribute, text.strip()), attribute));
    }

    @Nullable Duration lease(String attribute, String stated) {
        return value(attribute, stated, text -> Checks.lease(anyDuration(attribute, text.strip())));
    }

    private static Duration anyDuration(String attribute, String text) {
        try {
            return DurationStyle.detectAndParse(text);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new IllegalArgumentException(
                    attribute + " must be a duration such as 30s, 10m or PT1H: '" + text + "'", e);
        }
    }

    @Nullable Boolean flag(String attribute, String stated) {
        return value(attribute, stated, text -> switch (text.strip().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(attribute + " must be true or false: '" + text + "'");
        });
    }

    private <V> @Nullable V value(String attribute, String stated, Function<String, V> read) {
        String text = resolved(attribute, stated);
        if (text.isEmpty()) {
            return null;
        }
        try {
            return read.apply(text);
        } catch (IllegalArgumentException e) {
            throw invalid(attribute, e.getMessage() + (text.equals(stated) ? "" : ", stated as '" + stated + "'"), e);
        }
    }

    private String resolved(String attribute, String stated) {
        try {
            String text = resolver.resolveStringValue(stated);
            return text == null ? "" : text;
        } catch (RuntimeException e) {
            throw invalid(attribute, "'" + stated + "' cannot be resolved: " + e.getMessage(), e);
        }
    }

    /** Makes a value from several attributes; an {@link IllegalArgumentException} becomes a failure that names {@code attribute}. */
    <V> V checked(String attribute, Supplier<V> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw invalid(attribute, String.valueOf(e.getMessage()), e);
        }
    }

    /** A failure of the start that names the attribute. */
    InvalidConfigurationException invalid(String attribute, String message, @Nullable Throwable cause) {
        String named = message.startsWith(attribute) ? message : attribute + ": " + message;
        return new InvalidConfigurationException(place + ": " + named, cause);
    }
}

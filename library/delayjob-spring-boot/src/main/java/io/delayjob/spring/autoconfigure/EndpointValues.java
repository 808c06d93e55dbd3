package io.delayjob.spring.autoconfigure;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/**
 * Reads the values of a request to {@link DelayJobEndpoint}. They arrive as text, because what Boot cannot convert it answers without
 * a word. Whatever is wrong is an {@link IllegalArgumentException} that names the value and what would be right.
 */
final class EndpointValues {

    private EndpointValues() {}

    /** One of the words of an enum, however it is written: {@code run-now}, {@code RUN_NOW}. */
    static <E extends Enum<E>> E word(Class<E> words, String name, @Nullable String text) {
        return Arrays.stream(words.getEnumConstants())
                .filter(word -> text != null && letters(word.name()).equals(letters(text)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        name + " must be " + choice(words) + (text == null ? "" : ", not '" + text + "'")));
    }

    private static String letters(String text) {
        return text.replaceAll("[-_ ]", "").toUpperCase(Locale.ROOT);
    }

    private static <E extends Enum<E>> String choice(Class<E> words) {
        String all = String.join(
                ", ",
                Arrays.stream(words.getEnumConstants())
                        .map(word -> word.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                        .toList());
        int last = all.lastIndexOf(", ");
        return all.substring(0, last) + " or " + all.substring(last + 2);
    }

    /** A whole number; another one if none is given. */
    static int number(String name, @Nullable String text, int otherwise) {
        if (text == null) {
            return otherwise;
        }
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " must be a whole number, not '" + text + "'", e);
        }
    }

    /** A duration, which must be given. */
    static Duration duration(String name, @Nullable String text) {
        if (text == null) {
            throw new IllegalArgumentException(name + " must be given, as in PT10M or 10m");
        }
        try {
            return DurationStyle.detectAndParse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + " must be a duration as in PT10M or 10m, not '" + text + "'", e);
        }
    }
}

package io.delayjob.server.console.internal.jobs;

import io.delayjob.server.console.internal.pages.BadInput;
import io.delayjob.support.Checks;
import io.delayjob.support.Times;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.MultiValueMap;

/** Reads the fields of submitted forms. */
public final class Inputs {

    private Inputs() {}

    /** A text without blanks around it; null if it has nothing else. */
    public static @Nullable String given(@Nullable String text) {
        return text == null || text.isBlank() ? null : text.strip();
    }

    /**
     * A field that has to be there, without blanks around it.
     *
     * @throws IllegalArgumentException if it is not
     */
    public static String text(MultiValueMap<String, String> form, String name) {
        return exact(form, name).strip();
    }

    /**
     * A field that has to be there, to the letter: the name of something may have blanks at its ends.
     *
     * @throws IllegalArgumentException if it is not
     */
    public static String exact(MultiValueMap<String, String> form, String name) {
        String text = form.getFirst(name);
        if (text == null || text.isBlank()) {
            throw BadInput.in(name, "missing");
        }
        return text;
    }

    /**
     * A field that is a time such as 2030-01-31T08:00:00Z; null if it is empty.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static @Nullable Instant time(MultiValueMap<String, String> form, String name) {
        String text = given(form.getFirst(name));
        try {
            return text == null ? null : Times.parse(text);
        } catch (DateTimeException e) {
            throw BadInput.in(name, "time", Checks.shown(text));
        }
    }

    /**
     * A field that has to be there, and is such a time.
     *
     * @throws IllegalArgumentException if it is not
     */
    public static Instant neededTime(MultiValueMap<String, String> form, String name) {
        Instant time = time(form, name);
        if (time == null) {
            throw BadInput.in(name, "missing");
        }
        return time;
    }

    /**
     * A field that is a whole number.
     *
     * @throws IllegalArgumentException if it is something else, or out of range
     */
    public static int number(MultiValueMap<String, String> form, String name, int least, int most) {
        String text = text(form, name);
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw BadInput.in(name, "number", String.valueOf(least), String.valueOf(most), Checks.shown(text));
    }

    /** A field that is a whole number; null if it is empty. */
    public static @Nullable Integer numberIfGiven(
            MultiValueMap<String, String> form, String name, int least, int most) {
        return given(form.getFirst(name)) == null ? null : number(form, name, least, most);
    }

    /**
     * A field that is one of some names; null if it is empty.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static <E extends Enum<E>> @Nullable E choiceIfGiven(
            MultiValueMap<String, String> form, String name, Class<E> choices) {
        String text = given(form.getFirst(name));
        if (text == null) {
            return null;
        }
        E[] all = choices.getEnumConstants();
        return Arrays.stream(all)
                .filter(one -> one.name().equals(text))
                .findFirst()
                .orElseThrow(() -> BadInput.in(
                        name,
                        "choice",
                        Arrays.stream(all).map(Enum::name).collect(Collectors.joining(", ")),
                        Checks.shown(text)));
    }

    /** A field that is a duration; null if it is empty. */
    public static @Nullable Duration durationIfGiven(MultiValueMap<String, String> form, String name) {
        return given(form.getFirst(name)) == null ? null : duration(form, name);
    }

    /** The words of a field, separated by commas or blanks; null if it is empty. */
    public static @Nullable List<String> words(MultiValueMap<String, String> form, String name) {
        String text = given(form.getFirst(name));
        return text == null ? null : List.of(text.split("[,\\s]+", -1));
    }

    /**
     * A field such as 30s, 5m, 2h, 1d, or PT30S.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static Duration duration(MultiValueMap<String, String> form, String name) {
        String text = text(form, name);
        try {
            return DurationStyle.detectAndParse(text);
        } catch (IllegalArgumentException e) {
            throw BadInput.in(name, "duration", Checks.shown(text));
        }
    }
}

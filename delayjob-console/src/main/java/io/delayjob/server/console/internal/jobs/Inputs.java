package io.delayjob.server.console.internal.jobs;

import io.delayjob.support.Checks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.MultiValueMap;

/** What is written into forms. */
public final class Inputs {

    private Inputs() {}

    /** A text without blanks around it; null if it has nothing else. */
    public static @Nullable String given(@Nullable String text) {
        return text == null || text.isBlank() ? null : text.strip();
    }

    /**
     * A field that has to be there.
     *
     * @throws IllegalArgumentException if it is not
     */
    public static String text(MultiValueMap<String, String> form, String name) {
        String text = given(form.getFirst(name));
        if (text == null) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return text;
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
            throw new IllegalArgumentException(
                    name + " must be a duration such as 30s, 5m, 2h or 1d: " + Checks.shown(text), e);
        }
    }
}

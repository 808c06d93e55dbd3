package io.delayjob.server.console.internal.pages;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A page to render. Immutable.
 *
 * @param template the name of its template
 * @param values the values for the template, by name
 */
public record Page(String template, Map<String, @Nullable Object> values) {

    /** A page that shows nothing yet. */
    public static Page of(String template) {
        return new Page(template, Map.of());
    }

    /** The same with a further value. */
    public Page with(String name, @Nullable Object value) {
        Map<String, @Nullable Object> more = new HashMap<>(values);
        more.put(name, value);
        return new Page(template, more);
    }
}

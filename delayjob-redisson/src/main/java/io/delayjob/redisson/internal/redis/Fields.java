package io.delayjob.redisson.internal.redis;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A value with named fields, in the format of the scripts: {@code scope=f|id=a}. Bars separate the fields, so only the last field
 * may contain bars. Readers ignore fields that they do not know, because another release may have added them.
 */
final class Fields {

    private static final Pattern COUNT = Pattern.compile("\\d{1,9}");
    private static final Pattern MILLIS = Pattern.compile("\\d{1,15}");

    private final Map<String, String> values = new HashMap<>();

    /**
     * Parses a value; parts that are not fields are ignored.
     *
     * @param last the name of the field that extends to the end of the value; null if none does
     */
    Fields(String packed, @Nullable String last) {
        int begin = 0;
        while (begin < packed.length()) {
            boolean toTheEnd = last != null && packed.startsWith(last + "=", begin);
            int bar = toTheEnd ? -1 : packed.indexOf('|', begin);
            int end = bar < 0 ? packed.length() : bar;
            put(packed.substring(begin, end));
            begin = end + 1;
        }
    }

    private void put(String field) {
        int equals = field.indexOf('=');
        if (equals > 0) {
            values.putIfAbsent(field.substring(0, equals), field.substring(equals + 1));
        }
    }

    /** A text; null if the field is empty or missing. */
    @Nullable String text(String name) {
        String value = values.getOrDefault(name, "");
        return value.isEmpty() ? null : value;
    }

    /** A number of at most 9 digits; null if the field is anything else. */
    @Nullable Integer count(String name) {
        String value = values.getOrDefault(name, "");
        return COUNT.matcher(value).matches() ? Integer.valueOf(value) : null;
    }

    /** A time of at most 15 digits, ms; null if the field is anything else. */
    @Nullable Long millis(String name) {
        String value = values.getOrDefault(name, "");
        return MILLIS.matcher(value).matches() ? Long.valueOf(value) : null;
    }
}

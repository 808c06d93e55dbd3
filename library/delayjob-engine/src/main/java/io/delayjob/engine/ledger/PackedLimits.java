package io.delayjob.engine.ledger;

import io.delayjob.Limits;
import io.delayjob.Limits.Order;
import io.delayjob.Limits.Rate;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Limits as a text, {@code |concurrency=4|permits=100|per=1000000|burst=10|order=STRICT|weight=1}, each field only if it is there, the period in
 * microseconds; without those for each key. Fields of another release are read past.
 */
public final class PackedLimits {

    private static final Pattern FIELD = Pattern.compile("\\|(\\w+)=(\\w+)");

    private static final Duration MICRO = Duration.of(1, ChronoUnit.MICROS);

    private PackedLimits() {}

    /** The text; empty for none. */
    public static String of(@Nullable Limits limits) {
        if (limits == null) {
            return "";
        }
        StringBuilder packed = new StringBuilder();
        add(packed, "concurrency", limits.concurrency());
        Rate rate = limits.rate();
        if (rate != null) {
            add(packed, "permits", rate.permits());
            add(packed, "per", rate.per().dividedBy(MICRO));
            add(packed, "burst", rate.burst());
        }
        add(packed, "order", limits.order());
        add(packed, "weight", limits.weight());
        return packed.toString();
    }

    private static void add(StringBuilder packed, String name, @Nullable Object value) {
        if (value != null) {
            packed.append('|').append(name).append('=').append(value);
        }
    }

    /** The text with one more bar in front, so that there is something if they limit nothing. */
    public static String marked(Limits limits) {
        return "|" + of(limits);
    }

    /** The limits of a queue, and those of each of its keys; the second text is empty for none. */
    public static Limits read(String packed, String perKey) {
        Limits limits = read(packed);
        return perKey.isEmpty() ? limits : limits.withPerKey(read(perKey));
    }

    /** The limits of a text. */
    public static Limits read(String packed) {
        Limits limits = Limits.NONE;
        long permits = 0;
        long per = 0;
        int burst = 0;
        Matcher fields = FIELD.matcher(packed);
        while (fields.find()) {
            String value = fields.group(2);
            switch (fields.group(1)) {
                case "concurrency" -> limits = limits.withConcurrency(Integer.parseInt(value));
                case "permits" -> permits = Long.parseLong(value);
                case "per" -> per = Long.parseLong(value);
                case "burst" -> burst = Integer.parseInt(value);
                case "order" -> limits = limits.withOrder(Order.valueOf(value));
                case "weight" -> limits = limits.withWeight(Integer.parseInt(value));
                default -> {
                    // Of another release.
                }
            }
        }
        return permits == 0
                ? limits
                : limits.withRate(new Rate((int) permits, Duration.of(per, ChronoUnit.MICROS), burst));
    }
}

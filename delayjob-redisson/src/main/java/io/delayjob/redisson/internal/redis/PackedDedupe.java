package io.delayjob.redisson.internal.redis;

import io.delayjob.Dedupe;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A dedupe as scripts get and log it: {@code mode|scope|key}, see submit.lua. */
final class PackedDedupe {

    private static final Pattern PACKED = Pattern.compile("([krp])\\|([sf]|[1-9]\\d{0,14})\\|(.+)", Pattern.DOTALL);

    private PackedDedupe() {}

    static String of(Dedupe dedupe) {
        String mode = switch (dedupe.mode()) {
            case KEEP_FIRST -> "k";
            case REPLACE -> "r";
            case POSTPONE -> "p";
        };
        Duration window = dedupe.window();
        String scope = window != null
                ? Long.toString(window.toMillis())
                : dedupe.scope() == Dedupe.Scope.UNTIL_STARTED ? "s" : "f";
        return mode + "|" + scope + "|" + dedupe.key();
    }

    /** Null if there is none. */
    static @Nullable Dedupe read(String packed) {
        Matcher parts = PACKED.matcher(packed);
        if (!parts.matches()) {
            return null;
        }
        Dedupe.Mode mode = switch (parts.group(1)) {
            case "r" -> Dedupe.Mode.REPLACE;
            case "p" -> Dedupe.Mode.POSTPONE;
            default -> Dedupe.Mode.KEEP_FIRST;
        };
        String key = parts.group(3);
        return switch (parts.group(2)) {
            case "s" -> new Dedupe(key, Dedupe.Scope.UNTIL_STARTED, mode, null);
            case "f" -> new Dedupe(key, Dedupe.Scope.UNTIL_FINISHED, mode, null);
            default -> new Dedupe(key, Dedupe.Scope.WINDOW, mode, Duration.ofMillis(Long.parseLong(parts.group(2))));
        };
    }
}

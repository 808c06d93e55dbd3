package io.delayjob.delivery.internal.http;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the header {@code Retry-After}. */
final class RetryAfter {

    private static final int MOST_DIGITS = 9;

    private RetryAfter() {}

    /**
     * The wait that a header asks for.
     *
     * @param value seconds, or a date
     * @param now the time of the answer by the clock of who gave it
     * @param most the longest wait that is granted
     * @return more than nothing; empty if there is no such header, if it is malformed, or if it asks for no wait
     */
    static Optional<Duration> of(@Nullable String value, Instant now, Duration most) {
        if (value == null || value.isBlank()) {
            return Optional.empty();
        }
        String text = value.strip();
        Optional<Duration> wanted = text.chars().allMatch(c -> c >= '0' && c <= '9')
                ? Optional.of(text.length() > MOST_DIGITS ? most : Duration.ofSeconds(Long.parseLong(text)))
                : date(text).map(at -> Duration.between(now, at));
        return wanted.filter(wait -> !wait.isZero() && !wait.isNegative())
                .map(wait -> wait.compareTo(most) > 0 ? most : wait);
    }

    /** A date as HTTP writes it. */
    static Optional<Instant> date(@Nullable String text) {
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text)));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}

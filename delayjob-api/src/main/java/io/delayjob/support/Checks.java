package io.delayjob.support;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The checks of every value that a caller passes in; each throws with a message that names the value and the rule. */
public final class Checks {

    /** The last moment a job may be due: the end of the year 9999, so that every due time prints and parses. */
    public static final Instant LATEST_DUE = Instant.parse("9999-12-31T23:59:59.999Z");

    /** The shortest lease: long enough for a few renewals and a pause of the JVM. */
    public static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

    private static final Pattern QUEUE = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final int LONGEST_ID = 128;
    private static final Pattern INDEX_WORD = Pattern.compile("[^\\s.,:\"\\p{Cntrl}]+(\\.[^\\s.,:\"\\p{Cntrl}]+)*");
    private static final int LONGEST_INDEX_WORD = 64;
    private static final int MOST_INDEX_WORDS = 8;
    private static final int MOST_HEADERS = 100;
    private static final int MOST_TAGS = 10;
    private static final int LONGEST_TAG = 64;
    private static final int LONGEST_HEADER_NAME = 256;
    private static final int LONGEST_HEADER = 8192;
    private static final int LONGEST_HEADERS = 65_536;

    private Checks() {}

    /** Returns {@code value} unless it is null. */
    public static <T> T notNull(@Nullable T value, String name) {
        if (value == null) {
            throw new IllegalArgumentException(name + " must not be null");
        }
        return value;
    }

    /** Applies a rule to a value that is not null. */
    public static <V> void ifGiven(@Nullable V value, Consumer<V> rule) {
        if (value != null) {
            rule.accept(value);
        }
    }

    /** Whether this is a valid name of a queue. */
    public static boolean isQueue(String name) {
        return QUEUE.matcher(name).matches() && !isDots(name);
    }

    /** Whether this is what an address has for a folder: clients and proxies leave it out of a path, so nothing can be named by it. */
    public static boolean isDots(String name) {
        return name.equals(".") || name.equals("..");
    }

    /** Returns a queue name that fits into a Redis hash tag and into an address. */
    public static String queue(@Nullable String queue) {
        if (queue != null && isDots(queue)) {
            throw new IllegalArgumentException(
                    "queue must not be " + shown(queue) + ": no address can name it; choose another name");
        }
        if (queue == null || !isQueue(queue)) {
            throw new IllegalArgumentException(
                    "queue must be 1 to 64 of the characters A-Z a-z 0-9 . _ - (a brace would"
                            + " break the Redis hash tag): " + shown(queue));
        }
        return queue;
    }

    /** Returns a job id of 1 to 128 characters without control characters. */
    public static String id(@Nullable String id) {
        if (id == null || id.isEmpty() || id.length() > LONGEST_ID) {
            throw new IllegalArgumentException("id must have 1 to " + LONGEST_ID + " characters: " + shown(id));
        }
        return withoutControls("id", id);
    }

    /** Returns the name of a schedule: 1 to 128 characters without control characters, and neither {@code .} nor {@code ..}. */
    public static String scheduleName(@Nullable String name) {
        if (name == null || name.isBlank() || name.length() > LONGEST_ID) {
            throw new IllegalArgumentException(
                    "the name of a schedule must have 1 to " + LONGEST_ID + " characters: " + shown(name));
        }
        if (isDots(name)) {
            throw new IllegalArgumentException("the name of a schedule must not be " + shown(name)
                    + ": no address can name it; choose another name");
        }
        return withoutControls("the name of a schedule", name);
    }

    /** Returns a job name of 1 to 256 characters without control characters. */
    public static String jobName(@Nullable String name) {
        return name("job name", name);
    }

    /** Returns a key of jobs: 1 to 128 characters without control characters. */
    public static String key(@Nullable String key) {
        if (key == null || key.isBlank() || key.length() > LONGEST_ID) {
            throw new IllegalArgumentException("key must have 1 to " + LONGEST_ID + " characters: " + shown(key));
        }
        return withoutControls("key", key);
    }

    /** Returns a dedupe key of 1 to 256 characters without control characters. */
    public static String dedupeKey(@Nullable String key) {
        return name("dedupe key", key);
    }

    private static String name(String what, @Nullable String name) {
        if (name == null || name.isBlank() || name.length() > 256) {
            throw new IllegalArgumentException(what + " must have 1 to 256 characters: " + shown(name));
        }
        return withoutControls(what, name);
    }

    /** Returns a line of at most 1024 characters without control characters. */
    public static String line(@Nullable String line, String name) {
        if (line == null || line.length() > 1024) {
            throw new IllegalArgumentException(name + " must have at most 1024 characters: " + shown(line));
        }
        return withoutControls(name, line);
    }

    /** Returns a lease of at least {@link #SHORTEST_LEASE}. */
    public static Duration lease(@Nullable Duration lease) {
        Duration positive = positive(lease, "lease");
        if (positive.compareTo(SHORTEST_LEASE) < 0) {
            throw new IllegalArgumentException("lease must be at least " + SHORTEST_LEASE + ": " + lease);
        }
        return positive;
    }

    /**
     * Returns an immutable copy of at most 100 headers, with names of at most 256 characters, values of at most 8192, and at most
     * 65,536 characters in total.
     */
    public static Map<String, String> headers(@Nullable Map<String, String> maybeHeaders) {
        Map<String, String> headers = notNull(maybeHeaders, "headers");
        if (headers.size() > MOST_HEADERS) {
            throw new IllegalArgumentException("there must be at most " + MOST_HEADERS + " headers: " + headers.size());
        }
        headers.forEach(Checks::header);
        if (length(headers) > LONGEST_HEADERS) {
            throw new IllegalArgumentException("headers must have at most " + LONGEST_HEADERS
                    + " characters in all names and values together: " + length(headers));
        }
        return Map.copyOf(headers);
    }

    private static void header(@Nullable String name, @Nullable String value) {
        if (name == null || name.isBlank() || value == null) {
            throw new IllegalArgumentException(
                    "a header needs a name and a value: " + shown(name) + "=" + shown(value));
        }
        if (name.length() > LONGEST_HEADER_NAME) {
            throw new IllegalArgumentException(
                    "the name of a header must have at most " + LONGEST_HEADER_NAME + " characters: " + shown(name));
        }
        if (value.length() > LONGEST_HEADER) {
            throw new IllegalArgumentException("header " + shown(name) + " must have at most " + LONGEST_HEADER
                    + " characters: " + value.length());
        }
        whole("the name of a header", name);
        if (!isWhole(value)) {
            throw new IllegalArgumentException(
                    "the value of header " + shown(name) + " must not contain half a character (a lone surrogate)");
        }
    }

    /**
     * Returns at most {@value #MOST_TAGS} tags of 1 to {@value #LONGEST_TAG} characters without white space, commas and quotation marks, each once; none for
     * null, which stands for them in what an older release wrote.
     */
    public static List<String> tags(@Nullable List<String> tags) {
        List<String> distinct =
                tags == null ? List.of() : tags.stream().distinct().toList();
        if (distinct.size() > MOST_TAGS) {
            throw new IllegalArgumentException("there must be at most " + MOST_TAGS + " tags: " + distinct.size());
        }
        distinct.forEach(Checks::tag);
        return distinct;
    }

    private static void tag(@Nullable String tag) {
        if (tag == null || tag.isEmpty() || tag.length() > LONGEST_TAG) {
            throw new IllegalArgumentException("a tag must have 1 to " + LONGEST_TAG + " characters: " + shown(tag));
        }
        if (tag.codePoints()
                .anyMatch(c -> c == ',' || c == '"' || Character.isWhitespace(c) || Character.isSpaceChar(c))) {
            throw new IllegalArgumentException(
                    "a tag must not contain white space, commas or quotation marks: " + shown(tag));
        }
        withoutControls("a tag", tag);
    }

    /** Returns at most {@value #MOST_INDEX_WORDS} words of an index, each once. */
    public static List<String> indexWords(List<String> words) {
        List<String> distinct = words.stream().distinct().toList();
        if (distinct.size() > MOST_INDEX_WORDS) {
            throw new IllegalArgumentException("index must have at most " + MOST_INDEX_WORDS
                    + " words, because each costs memory in Redis for every job: " + String.join(", ", distinct));
        }
        distinct.forEach(Checks::indexWord);
        return distinct;
    }

    /**
     * Returns a word of an index: {@code tag}, or the name of a field of params, whose own fields follow after dots, as in {@code customer.id}; of at most
     * {@value #LONGEST_INDEX_WORD} characters, without white space, commas, colons and quotation marks.
     */
    public static String indexWord(@Nullable String word) {
        if (word == null
                || word.length() > LONGEST_INDEX_WORD
                || !INDEX_WORD.matcher(word).matches()) {
            throw new IllegalArgumentException(
                    "index must name fields of params, such as orderId or customer.id, or 'tag', each with at most "
                            + LONGEST_INDEX_WORD
                            + " characters and without white space, commas, colons and quotation marks: "
                            + shown(word));
        }
        return word;
    }

    /** Whether this is a valid header, and these headers have room for it. */
    public static boolean fitsHeader(Map<String, String> headers, String name, String value) {
        return headers.size() < MOST_HEADERS
                && name.length() <= LONGEST_HEADER_NAME
                && value.length() <= LONGEST_HEADER
                && isWhole(name)
                && isWhole(value)
                && length(headers) + name.length() + value.length() <= LONGEST_HEADERS;
    }

    private static long length(Map<String, String> headers) {
        return headers.entrySet().stream()
                .mapToLong(
                        header -> header.getKey().length() + header.getValue().length())
                .sum();
    }

    /** Returns {@code value} unless it is under 1. */
    public static int atLeastOne(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1: " + value);
        }
        return value;
    }

    /** Returns {@code value} if it is within a range. */
    public static int range(int value, int least, int most, String name) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " must be " + least + " to " + most + ": " + value);
        }
        return value;
    }

    /** Returns {@code value} unless it is negative. */
    public static int zeroOrMore(int value, String name) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " must be zero or more: " + value);
        }
        return value;
    }

    /** Returns a priority of 0 to 9. */
    public static int priority(int priority) {
        if (priority < 0 || priority > 9) {
            throw new IllegalArgumentException(
                    "priority must be 0 to 9, of which higher ones go first, or left out for 4: " + priority);
        }
        return priority;
    }

    /** Returns {@code value} if it is at least one millisecond and fits into milliseconds. */
    public static Duration positive(@Nullable Duration value, String name) {
        if (value == null || value.compareTo(Duration.ofMillis(1)) < 0 || tooLong(value)) {
            throw new IllegalArgumentException(
                    name + " must be positive, at least 1 ms and at most 8000 years: " + value);
        }
        return value;
    }

    /** Returns {@code value} if it is zero or more and fits into milliseconds. */
    public static Duration notNegative(@Nullable Duration value, String name) {
        if (value == null || value.isNegative() || tooLong(value)) {
            throw new IllegalArgumentException(name + " must be zero or more, at most 8000 years: " + value);
        }
        return value;
    }

    /** Returns the delay as a duration if it is zero or more and does not pass the year 9999. */
    public static Duration delay(long delay, @Nullable TimeUnit maybeUnit) {
        TimeUnit unit = notNull(maybeUnit, "unit");
        if (delay < 0) {
            throw new IllegalArgumentException("delay must not be negative: " + delay + " " + unit);
        }
        try {
            return delay(Duration.of(delay, unit.toChronoUnit()));
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(pastTheEnd(delay + " " + unit), e);
        }
    }

    /** Returns the delay if it is zero or more and does not pass the year 9999. */
    public static Duration delay(@Nullable Duration maybeDelay) {
        Duration delay = notNull(maybeDelay, "delay");
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay must not be negative: " + delay);
        }
        // Exact to the second only: the last second of the year 9999 is not worth an exact sum for every job.
        if (delay.toSeconds() >= LATEST_DUE.getEpochSecond() - Instant.now().getEpochSecond()) {
            throw new IllegalArgumentException(pastTheEnd(delay.toString()));
        }
        return delay;
    }

    /** Returns the due time if it lies between 1970 and the end of the year 9999; one in the past is due at once. */
    public static Instant dueAt(@Nullable Instant dueAt) {
        return dueAt(dueAt, "dueAt");
    }

    /** Returns the time if a job may be due then, see {@link #dueAt(Instant)}. */
    public static Instant dueAt(@Nullable Instant maybeDueAt, String name) {
        Instant dueAt = notNull(maybeDueAt, name);
        if (dueAt.isBefore(Instant.EPOCH) || dueAt.isAfter(LATEST_DUE)) {
            throw new IllegalArgumentException(name + " must lie between 1970 and the end of the year 9999: " + dueAt);
        }
        return dueAt;
    }

    /** Returns the duration in milliseconds, rounded up so that nothing comes early. */
    public static long ceilMillis(Duration duration) {
        return duration.plusNanos(999_999).toMillis();
    }

    /** Returns the instant in milliseconds since 1970, rounded up so that nothing comes early. */
    public static long ceilMillis(Instant instant) {
        return instant.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS).toEpochMilli();
    }

    private static boolean tooLong(Duration value) {
        return value.compareTo(Duration.ofDays(365L * 8000)) > 0;
    }

    private static boolean isHalf(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }

    private static String pastTheEnd(String delay) {
        return "delay must not pass the end of the year 9999: " + delay;
    }

    private static String withoutControls(String name, String value) {
        if (hasControls(value)) {
            throw new IllegalArgumentException(name + " must not contain control characters: " + shown(value));
        }
        return whole(name, value);
    }

    /** A loop, because a stream for each text of each job is felt. */
    private static boolean hasControls(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isISOControl(value.charAt(i))) {
                return true;
            }
        }
        return false;
    }

    /** UTF-8 cannot encode a lone surrogate: Redis would get the same question mark for all of them. */
    private static String whole(String name, String value) {
        if (!isWhole(value)) {
            throw new IllegalArgumentException(
                    name + " must not contain half a character (a lone surrogate): " + shown(value));
        }
        return value;
    }

    /** Whether a text contains no lone surrogate (half a character), so that UTF-8 can encode all of it. */
    public static boolean isWhole(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i)) && isHalf(text.codePointAt(i++))) {
                return false;
            }
        }
        return true;
    }

    /** Quotes a value for a message: control characters escaped, cut after 80 characters. */
    public static String shown(@Nullable String value) {
        if (value == null) {
            return "null";
        }
        String start = value.length() > 80 ? value.substring(0, 80) + "… (" + value.length() + " characters)" : value;
        StringBuilder out = new StringBuilder("'");
        start.codePoints().forEach(c -> {
            if (Character.isISOControl(c) || isHalf(c)) {
                out.append(String.format("\\u%04x", c));
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.append('\'').toString();
    }
}

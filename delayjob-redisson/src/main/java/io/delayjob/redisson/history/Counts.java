package io.delayjob.redisson.history;

import java.util.Arrays;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counts of what happened in a queue within some time. Immutable.
 *
 * <p>The text form is {@code name=number} for each number that is not zero, with {@code |} between them. Numbers of the same name are added
 * up, except those whose names begin with a capital: they are measured at one moment, and the latest one stands. So a release can write
 * numbers that the release which adds them up does not know.
 */
public final class Counts {

    /** Nothing happened. */
    public static final Counts NONE = new Counts(0, 0, 0, -1, new long[0]);

    private static final Pattern NUMBER = Pattern.compile("(\\w{1,9})=(\\d{1,15})");
    private static final String BUCKET = "late";

    private final long completed;
    private final long failed;
    private final long died;
    private final long ready;
    private final long[] late;

    private Counts(long completed, long failed, long died, long ready, long[] late) {
        this.completed = completed;
        this.failed = failed;
        this.died = died;
        this.ready = ready;
        this.late = late;
    }

    /**
     * Counts of one queue.
     *
     * @param late how many attempts began in each bucket of {@link Lateness}
     */
    public static Counts of(long completed, long failed, long died, long[] late) {
        return new Counts(completed, failed, died, -1, late.clone());
    }

    /** Says nothing but how many jobs were due. */
    public static Counts ready(long ready) {
        return new Counts(0, 0, 0, ready, new long[0]);
    }

    /** Whether nothing happened, and nobody looked how many jobs were due. */
    public boolean isNothing() {
        return completed == 0
                && failed == 0
                && died == 0
                && ready < 0
                && Arrays.stream(late).allMatch(began -> began == 0);
    }

    /** Parses what {@link #toString} writes, and leaves out what it does not know: anything may have been written there. */
    public static Counts parse(String text) {
        long completed = 0;
        long failed = 0;
        long died = 0;
        long ready = -1;
        long[] late = new long[Lateness.BUCKETS];
        for (String part : text.split("\\|", -1)) {
            Matcher number = NUMBER.matcher(part);
            if (!number.matches()) {
                continue;
            }
            long value = Long.parseLong(number.group(2));
            switch (number.group(1)) {
                case "completed" -> completed = value;
                case "failed" -> failed = value;
                case "died" -> died = value;
                case "Ready" -> ready = value;
                default -> late(late, number.group(1), value);
            }
        }
        return new Counts(completed, failed, died, ready, late);
    }

    private static void late(long[] late, String name, long value) {
        for (int i = 0; i < late.length; i++) {
            if (name.equals(BUCKET + i)) {
                late[i] = value;
            }
        }
    }

    /** Both together. */
    public Counts plus(Counts other) {
        long[] sum = Arrays.copyOf(late, Math.max(late.length, other.late.length));
        for (int i = 0; i < other.late.length; i++) {
            sum[i] += other.late[i];
        }
        return new Counts(
                completed + other.completed,
                failed + other.failed,
                died + other.died,
                ready < 0 ? other.ready : ready + Math.max(0, other.ready),
                sum);
    }

    /** These without others, which are among them. */
    public Counts minus(Counts other) {
        long[] rest = late.clone();
        for (int i = 0; i < other.late.length; i++) {
            rest[i] -= other.late[i];
        }
        return new Counts(completed - other.completed, failed - other.failed, died - other.died, ready, rest);
    }

    /** Attempts that succeeded. */
    public long completed() {
        return completed;
    }

    /** Attempts that failed and are followed by another one. */
    public long failed() {
        return failed;
    }

    /** Jobs that died. */
    public long died() {
        return died;
    }

    /** Jobs that were due when somebody last looked; -1 if nobody did. */
    public long ready() {
        return ready;
    }

    /** Attempts that began. */
    public long began() {
        return Arrays.stream(late).sum();
    }

    /**
     * The lateness, in milliseconds, that a share of the attempts did not exceed when they began; -1 if none began.
     *
     * @param share the share, from 0 to 1
     */
    public double lateness(double share) {
        return Lateness.percentile(late, share);
    }

    @Override
    public String toString() {
        StringJoiner text = new StringJoiner("|");
        add(text, "completed", completed);
        add(text, "failed", failed);
        add(text, "died", died);
        for (int i = 0; i < late.length; i++) {
            add(text, BUCKET + i, late[i]);
        }
        if (ready >= 0) {
            text.add("Ready=" + ready);
        }
        return text.toString();
    }

    private static void add(StringJoiner text, String name, long number) {
        if (number > 0) {
            text.add(name + "=" + number);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Counts counts && toString().equals(counts.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }
}

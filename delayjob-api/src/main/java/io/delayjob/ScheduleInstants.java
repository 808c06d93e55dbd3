package io.delayjob;

import io.delayjob.support.Checks;
import io.delayjob.support.Digests;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Computes the instants of a {@link Schedule}. They depend on the schedule and the time zone database of the JDK alone: every node
 * computes the same. Immutable.
 *
 * <pre>{@code
 * ScheduleInstants.of(schedule).preview(Instant.now(), 10).forEach(System.out::println);
 * }</pre>
 */
public final class ScheduleInstants {

    private final String name;
    private final ScheduleTiming timing;
    private final Source source;

    /** Finds instants of a schedule, also those at which nothing runs. */
    interface Source {
        /** Returns the first one that is strictly later; null if there is none in 400 years. */
        @Nullable ScheduleInstant later(Instant after);
    }

    private ScheduleInstants(String name, ScheduleTiming timing) {
        this.name = name;
        this.timing = timing;
        this.source = source();
    }

    /**
     * The instants of a schedule.
     *
     * @param schedule the schedule
     * @return its instants
     */
    public static ScheduleInstants of(Schedule schedule) {
        return new ScheduleInstants(schedule.name(), schedule.timing());
    }

    /**
     * The first instant after another. To walk through all instants, pass the one before and not the time of the clock.
     *
     * @param after a moment, which need not be an instant of the schedule
     * @return the first one that is strictly later; null if there is none up to the year 9999
     */
    public @Nullable Instant next(Instant after) {
        ScheduleInstant next = laterOne(after);
        while (next != null && !next.fires()) {
            next = laterOne(next.instant());
        }
        return next == null ? null : next.instant();
    }

    /**
     * When the occurrence of an instant is due.
     *
     * @param instant an instant of the schedule
     * @return the instant and its share of the jitter, which every node computes alike; always before the next instant
     */
    public Instant due(Instant instant) {
        if (timing.jitter().isZero()) {
            return instant;
        }
        Instant next = next(instant);
        long latest = timing.jitter().toMillis();
        if (next != null) {
            latest = Math.min(latest, Duration.between(instant, next).toMillis() - 1);
        }
        return instant.plusMillis(hash(name + ' ' + instant.toEpochMilli()) % (latest + 1));
    }

    /**
     * The next instants, with those at which daylight saving lets nothing run.
     *
     * @param after a moment
     * @param count how many, at least 1
     * @return the first ones that are strictly later, in their order
     * @throws IllegalArgumentException if the count is under 1
     */
    public List<ScheduleInstant> preview(Instant after, int count) {
        Checks.atLeastOne(count, "count");
        List<ScheduleInstant> instants = new ArrayList<>();
        ScheduleInstant next = laterOne(after);
        while (next != null && instants.size() < count) {
            instants.add(next);
            next = laterOne(next.instant());
        }
        return instants;
    }

    private @Nullable ScheduleInstant laterOne(Instant after) {
        ScheduleInstant later = source.later(after);
        return later == null || later.instant().isAfter(Checks.LATEST_DUE) ? null : later;
    }

    private Source source() {
        Duration every = timing.every();
        if (every != null) {
            return after -> multiple(every, after);
        }
        CronPattern pattern = CronPattern.parse(Checks.notNull(timing.cron(), "cron"));
        return new CronInstants(pattern, timing.zone(), timing.gap(), timing.repeated())::later;
    }

    private ScheduleInstant multiple(Duration every, Instant after) {
        long step = every.toMillis();
        long phase = hash(name) % every.toSeconds() * 1000;
        long passed = Math.floorDiv(after.toEpochMilli() - phase, step);
        Instant instant = Instant.ofEpochMilli((passed + 1) * step + phase);
        return new ScheduleInstant(
                instant, LocalDateTime.ofInstant(instant, timing.zone()), ScheduleInstant.Effect.NONE);
    }

    /** A number of 60 bits that does not change between releases, because stored instants depend on it. */
    private static long hash(String text) {
        return Long.parseLong(Digests.sha256(text).substring(0, 15), 16);
    }
}

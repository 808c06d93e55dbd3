package io.delayjob;

import io.delayjob.support.Checks;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * The timing of a {@link Schedule}: a cron expression on the clocks of a zone, or a fixed distance. Immutable; each
 * {@code with…} method returns a changed copy.
 *
 * <p>An expression that matches in every hour, such as {@code 0 *}{@code /15 * * * *}, follows the time that passes: it fires in
 * both of two hours with one name, makes up for none that does not exist, and {@code gap} and {@code repeated} do not concern it.
 *
 * @param cron a cron expression in Spring's syntax: second, minute, hour, day of the month, month, day of the week; or five fields
 *     without the second, which is then 0; or {@code @yearly}, {@code @monthly}, {@code @weekly}, {@code @daily} or {@code @hourly}.
 *     Null if there is {@code every}
 * @param every the distance of two instants, at least 1 s, in whole milliseconds. They are counted from 1970 and a phase that follows
 *     from the schedule's name: so they never drift, and schedules of one distance do not all run at once. Null if there is
 *     {@code cron}
 * @param zone whose clocks show the times of the expression
 * @param gap what happens at a local time that does not exist, because clocks are put forward
 * @param repeated what happens at a local time that exists twice, because clocks are put back
 * @param jitter how much later an occurrence may be due than its instant: by an amount that is fixed for each name and instant, and
 *     never as late as the next instant. Zero or more
 */
public record ScheduleTiming(
        @Nullable String cron, @Nullable Duration every, ZoneId zone, Gap gap, Repeated repeated, Duration jitter) {

    /** The shortest distance of two instants. */
    public static final Duration SHORTEST_EVERY = Duration.ofSeconds(1);

    /** The policy for a local time that does not exist, because clocks are put forward. */
    public enum Gap {
        /** The schedule runs later by as much as the clocks are put forward: at 03:30 in place of 02:30. */
        SHIFT,
        /** Nothing runs. */
        SKIP
    }

    /** The policy for a local time that exists twice, because clocks are put back: at which of its two instants a schedule runs. */
    public enum Repeated {
        /** At the first. */
        FIRST,
        /** At the last. */
        LAST,
        /** At both. */
        BOTH
    }

    /**
     * Checks every value; see {@link #cron(String)} and {@link #every(Duration)} for the usual ways to make it.
     *
     * @throws IllegalArgumentException if there is not one of {@code cron} and {@code every}, a value is malformed or out of range,
     *     or the expression never fires; the message names it
     */
    public ScheduleTiming {
        if ((cron == null) == (every == null)) {
            throw new IllegalArgumentException(
                    "a schedule needs cron or every, and not both: " + Checks.shown(cron) + ", " + every);
        }
        Checks.notNull(zone, "zone");
        Checks.notNull(gap, "gap");
        Checks.notNull(repeated, "repeated");
        Checks.notNegative(jitter, "jitter");
        Checks.ifGiven(every, ScheduleTiming::checkEvery);
        Checks.ifGiven(cron, value -> Checks.line(value, "cron"));
        if (cron != null
                && new CronInstants(CronPattern.parse(cron), zone, gap, repeated).next(Instant.now()) == null) {
            throw new IllegalArgumentException("cron " + Checks.shown(cron) + " never fires in zone " + zone
                    + " with gap " + gap + ": name a day that its months have, or use gap SHIFT");
        }
    }

    /**
     * By a cron expression, in UTC.
     *
     * @param cron the expression
     * @return with {@link Gap#SHIFT} and {@link Repeated#FIRST}, without jitter
     * @throws IllegalArgumentException if it is null, malformed or never fires
     */
    public static ScheduleTiming cron(String cron) {
        Checks.notNull(cron, "cron");
        return new ScheduleTiming(cron, null, ZoneOffset.UTC, Gap.SHIFT, Repeated.FIRST, Duration.ZERO);
    }

    /**
     * At a fixed distance.
     *
     * @param every at least 1 s, in whole milliseconds
     * @return without jitter
     * @throws IllegalArgumentException if it is null or too short
     */
    public static ScheduleTiming every(Duration every) {
        Checks.notNull(every, "every");
        return new ScheduleTiming(null, every, ZoneOffset.UTC, Gap.SHIFT, Repeated.FIRST, Duration.ZERO);
    }

    /**
     * By the clocks of a zone.
     *
     * @param newZone such as {@code Europe/Berlin}
     * @throws IllegalArgumentException if there is no such zone, or the cron expression never fires there
     */
    public ScheduleTiming withZone(String newZone) {
        return withZone(zoneOf(newZone));
    }

    /**
     * By the clocks of a zone.
     *
     * @param newZone the zone
     * @throws IllegalArgumentException if the cron expression never fires there
     */
    public ScheduleTiming withZone(ZoneId newZone) {
        return new ScheduleTiming(cron, every, newZone, gap, repeated, jitter);
    }

    /**
     * With this policy for local times that do not exist.
     *
     * @param newGap the policy
     * @throws IllegalArgumentException if the cron expression then never fires
     */
    public ScheduleTiming withGap(Gap newGap) {
        return new ScheduleTiming(cron, every, zone, newGap, repeated, jitter);
    }

    /**
     * With this policy for local times that exist twice.
     *
     * @param newRepeated the policy
     */
    public ScheduleTiming withRepeated(Repeated newRepeated) {
        return new ScheduleTiming(cron, every, zone, gap, newRepeated, jitter);
    }

    /**
     * With each occurrence up to this much later, by a fixed amount for each instant.
     *
     * @param newJitter zero or more
     */
    public ScheduleTiming withJitter(Duration newJitter) {
        return new ScheduleTiming(cron, every, zone, gap, repeated, newJitter);
    }

    /**
     * A zone by its name.
     *
     * @param zone such as {@code Europe/Berlin}
     * @return the zone
     * @throws IllegalArgumentException if it is null or there is no such zone
     */
    public static ZoneId zoneOf(String zone) {
        Checks.notNull(zone, "zone");
        try {
            return ZoneId.of(zone);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "zone " + Checks.shown(zone)
                            + " is not known; use a name of the tz database, such as Europe/Berlin or UTC, or update the"
                            + " JDK if the zone is new",
                    e);
        }
    }

    private static void checkEvery(Duration every) {
        Checks.positive(every, "every");
        if (every.compareTo(SHORTEST_EVERY) < 0 || every.toNanosPart() % 1_000_000 != 0) {
            throw new IllegalArgumentException("every must be at least " + SHORTEST_EVERY
                    + ", in whole milliseconds; let one run do more if it is to happen more often: " + every);
        }
    }
}

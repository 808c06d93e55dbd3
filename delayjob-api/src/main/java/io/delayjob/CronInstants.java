package io.delayjob;

import io.delayjob.ScheduleInstant.Effect;
import io.delayjob.ScheduleTiming.Gap;
import io.delayjob.ScheduleTiming.Repeated;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maps the local times of a cron expression to instants of a zone. Time is cut where the offset of the zone changes; within a piece
 * the offset is fixed. After clocks are put forward, the old offset goes on for the times that the change left out.
 */
final class CronInstants {

    /** The Gregorian calendar repeats itself after 400 years: what does not happen in that time never does. */
    private static final Duration CYCLE = Duration.ofDays(146_097);

    private final CronPattern pattern;
    private final ZoneRules rules;
    private final boolean byElapsedTime;
    private final Gap gap;
    private final Repeated repeated;

    CronInstants(CronPattern pattern, ZoneId zone, Gap gap, Repeated repeated) {
        this.pattern = pattern;
        this.rules = zone.getRules();
        this.byElapsedTime = pattern.matchesEveryHour();
        this.gap = gap;
        this.repeated = repeated;
    }

    /** The first instant that is strictly later and at which the schedule runs; null if it never does. */
    @Nullable Instant next(Instant after) {
        Instant end = after.plus(CYCLE);
        ScheduleInstant next = later(after);
        while (next != null && !next.fires() && next.instant().isBefore(end)) {
            next = later(next.instant());
        }
        return next == null || !next.fires() ? null : next.instant();
    }

    /** The first instant that is strictly later, also if nothing runs then; null if there is none. */
    @Nullable ScheduleInstant later(Instant after) {
        Instant from = after.plusNanos(1);
        Instant end = after.plus(CYCLE);
        while (from.isBefore(end)) {
            ZoneOffsetTransition change = rules.nextTransition(from);
            Instant to = change == null ? end : change.getInstant();
            ScheduleInstant first = earlier(inPiece(from, to), leftOut(from));
            if (first != null) {
                return first;
            }
            from = to;
        }
        return null;
    }

    private @Nullable ScheduleInstant inPiece(Instant from, Instant to) {
        ZoneOffset offset = rules.getOffset(from);
        LocalDateTime local = pattern.nextOrSame(LocalDateTime.ofInstant(from, offset));
        if (local == null || !local.toInstant(offset).isBefore(to)) {
            return null;
        }
        return new ScheduleInstant(local.toInstant(offset), local, effect(local, offset));
    }

    private Effect effect(LocalDateTime local, ZoneOffset offset) {
        List<ZoneOffset> offsets = rules.getValidOffsets(local);
        if (offsets.size() < 2) {
            return Effect.NONE;
        }
        Repeated which = offset.equals(offsets.get(0)) ? Repeated.FIRST : Repeated.LAST;
        return byElapsedTime || repeated == Repeated.BOTH || repeated == which ? Effect.REPEATED : Effect.SKIPPED;
    }

    /** The first local time that the last change left out, as if the offset before it had gone on. */
    private @Nullable ScheduleInstant leftOut(Instant from) {
        ZoneOffsetTransition change = byElapsedTime ? null : rules.previousTransition(from.plusNanos(1));
        if (change == null || !from.isBefore(change.getInstant().plus(change.getDuration()))) {
            return null;
        }
        ZoneOffset offset = change.getOffsetBefore();
        LocalDateTime local = pattern.nextOrSame(LocalDateTime.ofInstant(from, offset));
        if (local == null || !local.isBefore(change.getDateTimeAfter())) {
            return null;
        }
        return new ScheduleInstant(local.toInstant(offset), local, gap == Gap.SHIFT ? Effect.SHIFTED : Effect.SKIPPED);
    }

    /** Returns the earlier of two; at one instant the first argument, whose local time exists. */
    private static @Nullable ScheduleInstant earlier(@Nullable ScheduleInstant one, @Nullable ScheduleInstant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return other.instant().isBefore(one.instant()) ? other : one;
    }
}

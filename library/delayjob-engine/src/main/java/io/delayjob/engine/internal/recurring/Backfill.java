package io.delayjob.engine.internal.recurring;

import io.delayjob.ScheduleBackfill;
import io.delayjob.ScheduleInstants;
import io.delayjob.SubmitResult;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.StoredSchedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes up for instants of a schedule that have passed.
 *
 * @param definition the schedule
 * @param instants the instants, the earliest first
 */
record Backfill(Definition definition, List<Instant> instants) {

    private static final int MOST_PER_SECOND = 1_000_000;

    /** How many occurrences are submitted before their answers are waited for. */
    private static final int CHUNK = 1000;

    /** Copies the instants. */
    Backfill {
        instants = List.copyOf(instants);
    }

    /**
     * The instants of a schedule within a time, without those that it has yet to decide.
     *
     * @param nowMillis the ledger's clock
     * @param to the end, exclusive
     * @param most how many there may be
     * @throws IllegalArgumentException if the time is empty, or there are more
     */
    static Backfill of(
            StoredSchedule stored, Definition definition, long nowMillis, Instant from, Instant to, int most) {
        if (!from.isBefore(to)) {
            throw new IllegalArgumentException("from must be before to: from " + from + " to " + to);
        }
        Instant end = earlier(to, decidedUntil(stored, nowMillis));
        ScheduleInstants all = ScheduleInstants.of(definition.schedule());
        List<Instant> instants = new ArrayList<>();
        for (Instant next = all.next(from.minusNanos(1)); next != null && next.isBefore(end); next = all.next(next)) {
            if (instants.size() == most) {
                throw new IllegalArgumentException("schedule '" + stored.name() + "' has more than " + most
                        + " instants from " + from + " to " + to
                        + ": make up for a shorter time, and for the next one after it");
            }
            instants.add(next);
        }
        return new Backfill(definition, instants);
    }

    private static Instant decidedUntil(StoredSchedule stored, long nowMillis) {
        Long next = stored.paused() ? null : stored.nextMillis();
        return Instant.ofEpochMilli(next == null ? nowMillis : Math.min(next, nowMillis));
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    static void checkPerSecond(int perSecond) {
        if (perSecond < 1 || perSecond > MOST_PER_SECOND) {
            throw new IllegalArgumentException("perSecond must be 1 to " + MOST_PER_SECOND + ": " + perSecond);
        }
    }

    /** Submits an occurrence for each instant. Waits for the answers. */
    ScheduleBackfill submit(Shard shard, long nowMillis, int perSecond, UnaryOperator<String> inShard) {
        long stored = 0;
        for (int begin = 0; begin < instants.size(); begin += CHUNK) {
            List<NewJob> chunk = new ArrayList<>();
            for (int i = begin; i < Math.min(begin + CHUNK, instants.size()); i++) {
                chunk.add(occurrence(instants.get(i), nowMillis + i * 1000L / perSecond, inShard));
            }
            stored += shard.submit(chunk).stream()
                    .map(Futures::await)
                    .filter(result -> result.outcome() == SubmitResult.Outcome.STORED)
                    .count();
        }
        return counted(stored);
    }

    private NewJob occurrence(Instant instant, long dueMillis, UnaryOperator<String> inShard) {
        String id = inShard.apply(Planner.id(definition.schedule().name(), instant));
        return new NewJob(id, new NewJob.Due(dueMillis, false), definition.occurrence(instant));
    }

    ScheduleBackfill counted(long stored) {
        return new ScheduleBackfill(instants.size(), end(0), end(instants.size() - 1), stored);
    }

    private @Nullable Instant end(int at) {
        return instants.isEmpty() ? null : instants.get(at);
    }
}

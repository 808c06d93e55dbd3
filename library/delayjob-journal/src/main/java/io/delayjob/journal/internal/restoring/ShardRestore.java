package io.delayjob.journal.internal.restoring;

import io.delayjob.JobState;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.KeptSchedule;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Pointer;
import io.delayjob.engine.ledger.RestorePermit;
import io.delayjob.engine.ledger.RestoredJob;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.pointing.PointedIds;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.JobRow;
import io.delayjob.journal.internal.tables.JobTable;
import io.delayjob.journal.internal.tables.LiveJob;
import io.delayjob.journal.internal.tables.Parts;
import io.delayjob.journal.internal.tables.RelayTable;
import io.delayjob.journal.internal.tables.Status;
import io.delayjob.support.Checks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Puts lost jobs and schedules of a shard back into the ledger. */
final class ShardRestore {

    /** The most characters of records in one call, so that no script takes long. */
    private static final int MOST_CHARACTERS = 512 * 1024;

    private final JobTable jobs;
    private final RelayTable relays;
    private final PointedIds ids;
    private final Pace pace;
    private final RestoreCounts counts;
    private final boolean dryRun;
    private @Nullable RestorePermit permit;
    private boolean left;

    ShardRestore(Database database, PointedIds ids, Pace pace, RestoreCounts counts, boolean dryRun) {
        this.jobs = database.jobs();
        this.relays = database.relays();
        this.ids = ids;
        this.pace = pace;
        this.counts = counts;
        this.dryRun = dryRun;
    }

    /**
     * Begins to restore a shard. Must come before Redis is asked which jobs it does not have: then no other restore can have put
     * them back when this one does, however long it stands still in between.
     */
    void begin(JournaledShard shard) {
        left = false;
        if (!dryRun) {
            String term = Fence.newTerm();
            Answers.repeated(() -> shard.ledger().beginRestore(term));
            permit = RestorePermit.first(term);
        }
    }

    /**
     * Restores the jobs of these rows that have not finished.
     *
     * @param rows their numbers
     * @param goOn called before each call; throws if this restore has lost its right to go on
     */
    void restore(JournaledShard shard, List<Long> rows, Runnable goOn) {
        Parts.each(rows, pace.atOnce(Ledger.MAX_BATCH), some -> {
            goOn.run();
            restoreSome(shard, some);
        });
    }

    /**
     * Lets jobs come to the ledger that are held.
     *
     * @param held the jobs
     * @param goOn called before each part; throws if this restore has lost its right to go on
     */
    void release(List<LiveJob> held, Runnable goOn) {
        Parts.each(held, pace.atOnce(Ledger.MAX_BATCH), some -> {
            goOn.run();
            pace.await(some.size());
            List<Long> rows = some.stream().map(LiveJob::seq).toList();
            int released = dryRun ? rows.size() : relays.release(rows);
            counts.restored(released);
            // The others were cancelled meanwhile.
            counts.finished(rows.size() - released);
        });
    }

    private void restoreSome(JournaledShard shard, List<Long> rows) {
        List<JobRow> unfinished = jobs.live(rows);
        counts.finished(rows.size() - unfinished.size());
        if (dryRun) {
            counts.restored(unfinished.size());
        } else {
            parts(unfinished).forEach(part -> restore(shard, part));
        }
    }

    private static List<List<JobRow>> parts(List<JobRow> rows) {
        List<List<JobRow>> parts = new ArrayList<>();
        List<JobRow> part = new ArrayList<>();
        long characters = 0;
        for (JobRow row : rows) {
            characters += row.content().record().length();
            if (!part.isEmpty() && characters > MOST_CHARACTERS) {
                parts.add(part);
                part = new ArrayList<>();
                characters = row.content().record().length();
            }
            part.add(row);
        }
        if (!part.isEmpty()) {
            parts.add(part);
        }
        return parts;
    }

    /**
     * Restores schedules of the shard. After its jobs, so that a schedule finds its last occurrence.
     *
     * @param names the lost ones
     * @param goOn called before each call; throws if this restore has lost its right to go on
     * @return how many were restored
     */
    long restoreSchedules(JournaledShard shard, LostSchedules lost, List<String> names, Runnable goOn) {
        AtomicLong restored = new AtomicLong();
        Parts.each(names, LostSchedules.PART, some -> {
            goOn.run();
            List<KeptSchedule> schedules = lost.restorable(shard.id(), some);
            if (!schedules.isEmpty()) {
                List<Boolean> done = permitted(
                        shard, (call, shown) -> shard.ledger().schedules().restore(call, shown, schedules));
                restored.addAndGet(Collections.frequency(done, true));
            }
        });
        return restored.get();
    }

    private void restore(JournaledShard shard, List<JobRow> rows) {
        pace.await(rows.size());
        Map<Boolean, List<JobRow>> isAway =
                rows.stream().collect(Collectors.partitioningBy(row -> ids.isAway(shard.id(), row.id())));
        Set<String> stored =
                new HashSet<>(stored(shard, rows, point(shard.id(), isAway.getOrDefault(true, List.of()))));
        // An id may point to where an older state of Redis had a job.
        List<JobRow> free = free(
                shard.id(),
                isAway.getOrDefault(false, List.of()).stream()
                        .filter(row -> !stored.contains(row.id()))
                        .toList());
        stored.addAll(stored(shard, free, point(shard.id(), free)));
        counts.restored(stored.size());
        counts.present(rows.size() - stored.size());
    }

    private static List<String> idsOf(List<JobRow> rows) {
        return rows.stream().map(JobRow::id).toList();
    }

    /** The rows whose ids no job of the shard has; all these ids belong to it. */
    private List<JobRow> free(ShardId shard, List<JobRow> rows) {
        Map<String, Boolean> free = Answers.repeated(() -> Answers.ofEach(idsOf(rows), id -> ids.isFree(shard, id)));
        return rows.stream()
                .filter(row -> Boolean.TRUE.equals(free.get(row.id())))
                .toList();
    }

    /** Points the ids of rows to the shard. Answers their pointers; none of an id that another shard's job has. */
    private Map<String, Optional<Pointer>> point(ShardId shard, List<JobRow> rows) {
        Map<String, Optional<Pointer>> pointers =
                Answers.repeated(() -> Answers.ofEach(idsOf(rows), id -> ids.point(shard, id)));
        left |= pointers.values().stream().anyMatch(Optional::isEmpty);
        return pointers;
    }

    /** Stores the jobs of rows but those without a pointer whose ids were pointed. Answers the ids of those stored. */
    private Set<String> stored(JournaledShard shard, List<JobRow> rows, Map<String, Optional<Pointer>> pointers) {
        List<RestoredJob> jobs = rows.stream()
                .flatMap(row -> {
                    Optional<Pointer> its = pointers.get(row.id());
                    return its == null
                            ? Stream.of(restored(row))
                            : its.map(pointer -> pointed(shard.id(), row, pointer)).stream();
                })
                .toList();
        if (jobs.isEmpty()) {
            return Set.of();
        }
        List<Boolean> done = permitted(shard, (call, shown) -> shard.ledger().restore(call, shown, jobs));
        return IntStream.range(0, jobs.size())
                .filter(done::get)
                .mapToObj(i -> jobs.get(i).id())
                .collect(Collectors.toSet());
    }

    private RestoredJob pointed(ShardId shard, JobRow row, Pointer pointer) {
        RestoredJob job = restored(row);
        return ids.isAway(shard, row.id()) ? job.with(pointer) : job;
    }

    /** Whether jobs of the shard were left out because other shards have jobs of their ids, which may be of an older state of Redis. */
    boolean hasLeft() {
        return left;
    }

    /** Makes a call of this restore, which needs its permit. Answers what it has put back. */
    private List<Boolean> permitted(
            JournaledShard shard, BiFunction<Call, RestorePermit, CompletableFuture<List<Boolean>>> restore) {
        // A lane of its own, so that a repeat of the call gets the first answer.
        Call call = new Call("restore:" + UUID.randomUUID(), 1);
        RestorePermit shown = Checks.notNull(permit, "permit of a restore that has begun");
        List<Boolean> done = Answers.repeated(() -> restore.apply(call, shown));
        if (done.isEmpty()) {
            throw new IllegalStateException("this restore of " + shard.id()
                    + " was overtaken: another one has begun, the queue was cleared, or Redis has lost data again;"
                    + " what was restored stays, and it may be repeated");
        }
        permit = shown.next();
        return done;
    }

    /** A job that ran waits again: whoever ran it is as good as dead, because the ledger does not know it any more. */
    private static RestoredJob restored(JobRow row) {
        Status status = row.status();
        return new RestoredJob(
                row.id(),
                row.stored(),
                status.state() == JobState.DEAD ? JobState.DEAD : JobState.DELAYED,
                status.dueAt(),
                status.placeAt(),
                status.attempt(),
                status.error(),
                null);
    }
}

package io.delayjob.journal.internal.restoring;

import io.delayjob.DelayJobJournal;
import io.delayjob.JobRestore;
import io.delayjob.JobState;
import io.delayjob.JobStep;
import io.delayjob.JournalDiff;
import io.delayjob.JournalDiff.Difference;
import io.delayjob.JournalScope;
import io.delayjob.QueueCounts;
import io.delayjob.RestoreReport;
import io.delayjob.engine.ledger.Fence;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.NewJob;
import io.delayjob.engine.ledger.ScheduleNames;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.pointing.PointedIds;
import io.delayjob.journal.internal.tables.Asked;
import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.JobRow;
import io.delayjob.journal.internal.tables.JobTable;
import io.delayjob.journal.internal.tables.LiveJob;
import io.delayjob.journal.internal.tables.LockTable;
import io.delayjob.journal.internal.tables.Loss;
import io.delayjob.journal.internal.tables.Parts;
import io.delayjob.journal.internal.tables.ShardRow;
import io.delayjob.journal.internal.tables.Tags;
import io.delayjob.journal.internal.tables.WaitingTable;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The journal in SQL, compared with the ledger. */
public final class JournalAdmin implements DelayJobJournal {

    private static final Logger log = LoggerFactory.getLogger(JournalAdmin.class);

    /** How long the automatic restore of a shard is put off that has left jobs out, because other shards have jobs of their ids. */
    private static final Duration REPEATED_AFTER = Duration.ofSeconds(30);

    /** The shards whose automatic restore is put off, and since when. */
    private final Map<ShardId, Long> later = new ConcurrentHashMap<>();

    private final Supplier<List<JournaledShard>> shards;
    private final PointedIds ids;
    private final Database database;
    private final JobTable jobs;
    private final LockTable locks;
    private final WaitingTable waiting;
    private final WrittenFlow written;
    private final LostSchedules lostSchedules;
    private final LostLimits lostLimits;
    private final ToLongFunction<String> lagMillis;
    private final History history;

    /**
     * A journal.
     *
     * @param shards all shards of the queues that have one
     * @param ids points the ids of jobs to their shards
     * @param written waits until the journal has what the ledger has logged
     * @param names the names of all schedules
     * @param lagMillis for how long the ledger has had what the journal of a queue has not
     */
    public JournalAdmin(
            Supplier<List<JournaledShard>> shards,
            PointedIds ids,
            Database database,
            WrittenFlow written,
            Supplier<ScheduleNames> names,
            ToLongFunction<String> lagMillis) {
        this.lagMillis = lagMillis;
        this.shards = shards;
        this.ids = ids;
        this.database = database;
        this.jobs = database.jobs();
        this.locks = new LockTable(database.limited(), database.dialect());
        this.waiting = new WaitingTable(database.limited(), database.dialect());
        this.written = written;
        this.lostLimits = new LostLimits(database.limits(), written);
        this.lostSchedules = new LostSchedules(database, written, names);
        this.history = new History(database.flow());
    }

    @Override
    public Set<String> queues() {
        return ask(this::names);
    }

    private Set<String> names() {
        return shards.get().stream().map(shard -> shard.id().queue()).collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public Duration lag(String queue) {
        return Duration.ofMillis(lagMillis.applyAsLong(Checks.queue(queue)));
    }

    @Override
    public Set<String> queuesOf(String id) {
        Checks.id(id);
        return ask(() -> new TreeSet<>(jobs.queuesOf(id, names())));
    }

    @Override
    public List<JobStep> history(String queue, String id, int limit) {
        return ask(() -> history.of(queue, id, limit));
    }

    @Override
    public JournalDiff diff(JournalScope wanted) {
        Checks.notNull(wanted, "scope");
        return ask(() -> differences(wanted));
    }

    private JournalDiff differences(JournalScope wanted) {
        List<JournaledShard> all = shardsOf(wanted);
        Scope scope = new Scope(wanted, jobs.now());
        RestoreCounts counts = new RestoreCounts();
        Differences differences = new Differences();
        LostJobs lostJobs = new LostJobs(database, written, scope, counts);
        for (JournaledShard shard : all) {
            Parts.each(
                    lostJobs.find(shard, () -> {}),
                    Ledger.MAX_BATCH,
                    lost -> jobs.live(lost).forEach(row -> differences.add(missing(row))));
            lostJobs.held(shard.id(), () -> {}).forEach(job -> differences.add(held(shard.id(), job)));
            new ShardDiff(jobs, written, scope, shard).compare(differences::add);
        }
        return differences.diff(counts.report());
    }

    private static Difference missing(JobRow row) {
        return new Difference(
                row.shard().queue(), row.id(), Look.of(row.status()).toString(), null);
    }

    private static Difference held(ShardId shard, LiveJob job) {
        String look = new Look(JobState.DELAYED, 0, job.dueAt()) + ", held";
        return new Difference(shard.queue(), job.id(), look, null);
    }

    @Override
    public RestoreReport restore(JobRestore restore) {
        Checks.notNull(restore, "restore");
        return ask(() -> restored(restore));
    }

    private RestoreReport restored(JobRestore restore) {
        JournalScope wanted = restore.scope();
        List<JournaledShard> all = shardsOf(wanted);
        String id = wanted.id();
        if (id != null) {
            JobRow job = known(Checks.notNull(wanted.queue(), "queue"), id);
            if (job.status().finishedAt() != null) {
                return again(job, restore);
            }
        }
        try (RestoreLock lock = RestoreLock.take(locks)) {
            RestoreReport report = restore(all, restore, lock);
            log.info("restore of {}: {}", restore, report);
            return report;
        }
    }

    private RestoreReport restore(List<JournaledShard> all, JobRestore restore, RestoreLock lock) {
        long begun = jobs.now();
        Scope scope = new Scope(restore.scope(), begun);
        RestoreCounts counts = new RestoreCounts();
        ShardRestore restorer =
                new ShardRestore(database, ids, new Pace(restore.perSecond()), counts, restore.dryRun());
        LostJobs lostJobs = new LostJobs(database, written, scope, counts);
        for (JournaledShard shard : all) {
            restorer.begin(shard);
            if (restore.isWhole()) {
                lostLimits.restore(shard, lock::keep);
            }
            restorer.restore(shard, lostJobs.find(shard, lock::keep), lock::keep);
            restorer.release(lostJobs.held(shard.id(), lock::keep), lock::keep);
            if (restore.isWhole()) {
                restoreSchedules(shard, restorer, lock::keep);
                if (isRestored(shard, restorer)) {
                    database.shards().restored(shard.id(), begun);
                }
            }
        }
        return counts.report();
    }

    /**
     * Restores the shards that Redis has lost data of, and of which the journal knows all that happened. Nothing if there are none, or
     * another restore goes on.
     *
     * @param goOn called again and again; throws if it is not to go on
     */
    public void restoreReplaced(Runnable goOn) {
        ask(() -> {
            Set<ShardId> lost = replaced();
            later.keySet().retainAll(lost);
            lost.removeIf(this::isPutOff);
            if (!lost.isEmpty()) {
                RestoreLock.tryTake(locks).ifPresent(lock -> restoreReplaced(lost, lock, goOn));
            }
            return lost;
        });
    }

    private boolean isPutOff(ShardId shard) {
        Long since = later.get(shard);
        return since != null && System.nanoTime() - since < REPEATED_AFTER.toNanos();
    }

    private Set<ShardId> replaced() {
        return database.shards().rows().stream()
                .filter(row -> row.adopted() && row.lost() != null && row.lost().loss() == Loss.REPLACED)
                .map(ShardRow::id)
                .collect(Collectors.toSet());
    }

    private void restoreReplaced(Set<ShardId> lost, RestoreLock taken, Runnable goOn) {
        try (RestoreLock lock = taken) {
            for (JournaledShard shard : shards.get()) {
                Runnable goOnLocked = () -> {
                    goOn.run();
                    lock.keep();
                };
                // Asked again, because another node may have restored it, or found that more is lost.
                if (lost.contains(shard.id()) && replaced().contains(shard.id())) {
                    restoreReplaced(shard, goOnLocked);
                } else {
                    lostSchedules.name(shard, goOnLocked);
                }
            }
        }
    }

    private void restoreReplaced(JournaledShard shard, Runnable goOn) {
        long begun = jobs.now();
        RestoreCounts counts = new RestoreCounts();
        Scope scope = new Scope(JournalScope.of(shard.id().queue()), begun);
        ShardRestore restorer = new ShardRestore(database, ids, new Pace(null), counts, false);
        restorer.begin(shard);
        lostLimits.restore(shard, goOn);
        List<Long> found = new LostJobs(database, written, scope, counts).find(shard, goOn);
        Runnable goOnReplaced = () -> {
            goOn.run();
            checkReplaced(shard.id());
        };
        restorer.restore(shard, found, goOnReplaced);
        restoreSchedules(shard, restorer, goOnReplaced);
        if (!isRestored(shard, restorer)) {
            later.put(shard.id(), System.nanoTime());
            return;
        }
        database.shards().restored(shard.id(), Loss.REPLACED, begun);
        log.warn("Redis had lost data of {}, and it was restored from the journal: {}", shard.id(), counts.report());
    }

    private static boolean isRestored(JournaledShard shard, ShardRestore restorer) {
        if (restorer.hasLeft()) {
            log.warn(
                    "some jobs of {} are not restored, because jobs of other shards have their ids; it may be repeated",
                    shard.id());
        }
        return !restorer.hasLeft();
    }

    private void restoreSchedules(JournaledShard shard, ShardRestore restorer, Runnable goOn) {
        long restored = restorer.restoreSchedules(shard, lostSchedules, lostSchedules.find(shard, goOn), goOn);
        if (restored > 0) {
            log.info("{} schedules of {} are there again", restored, shard.id());
        }
    }

    private void checkReplaced(ShardId shard) {
        if (!replaced().contains(shard)) {
            throw new IllegalStateException("more of " + shard
                    + " is lost than was known when its restore began, so it stops; what was restored stays");
        }
    }

    private JobRow known(String queue, String id) {
        return jobs.find(queue, id)
                .orElseThrow(
                        () -> new IllegalArgumentException("the journal knows no job '" + id + "' of queue '" + queue
                                + "': it was never submitted there, came before the queue had a journal, or finished"
                                + " longer ago than delayjob.journal.retention"));
    }

    /** Submits a finished job once more: as a new row, which is relayed like any other. */
    private RestoreReport again(JobRow job, JobRestore restore) {
        if (!restore.finished()) {
            throw new IllegalArgumentException(
                    "job '" + job.id() + "' of queue '" + job.shard().queue() + "' is "
                            + job.status().state()
                            + " and would run again; if it shall, ask for it: evenIfFinished(), over HTTP"
                            + " \"finished\": true, on the command line --finished");
        }
        if (!restore.dryRun()) {
            jobs.submitAgain(job, new NewJob.Journaled("", Tags.next()));
            log.info(
                    "job '{}' of queue '{}' runs again, from the journal",
                    job.id(),
                    job.shard().queue());
        }
        return new RestoreReport(1, 1, 0, 0, 0, 0);
    }

    @Override
    public long clear(String queue, boolean forGood, long most) {
        Checks.queue(queue);
        return ask(() -> cleared(queue, forGood, most));
    }

    private long cleared(String queue, boolean forGood, long most) {
        List<JournaledShard> all = shardsOf(queue);
        long far = most == Long.MAX_VALUE || !forGood ? 0 : waiting.count(queue);
        refuseMore(queue, far, most, all);
        long sum = forGood ? cancelled(queue, all, most - far) : evicted(all, most);
        log.info("cleared queue '{}' {}: {} jobs", queue, forGood ? "for good" : "in Redis only", sum);
        return sum;
    }

    private static long evicted(List<JournaledShard> all, long most) {
        QueueClear clear = new QueueClear(most, () -> {});
        return all.stream().map(JournaledShard::ledger).mapToLong(clear::evict).sum();
    }

    /** No restore goes on meanwhile: it would put back jobs that are about to be cancelled. */
    private long cancelled(String queue, List<JournaledShard> all, long most) {
        all.forEach(JournalAdmin::endRestores);
        try (RestoreLock lock = RestoreLock.takeAfterOthers(locks)) {
            QueueClear clear = new QueueClear(most, lock::keep);
            long journaled = cancelJournaled(queue, all);
            long stored = all.stream()
                    .map(JournaledShard::ledger)
                    .mapToLong(clear::cancel)
                    .sum();
            long lost = all.stream().mapToLong(shard -> cancelLost(shard, lock)).sum();
            return journaled + stored + lost;
        }
    }

    private static void endRestores(JournaledShard shard) {
        Answers.repeated(() -> shard.ledger().beginRestore(Fence.newTerm()));
    }

    private static void refuseMore(String queue, long far, long most, List<JournaledShard> all) {
        if (most == Long.MAX_VALUE) {
            return;
        }
        long found = far + all.stream().mapToLong(JournalAdmin::stored).sum();
        if (found > most) {
            throw new IllegalArgumentException("queue '" + queue + "' has " + found + " unfinished jobs, and at most "
                    + most + " may be cleared; nothing was changed");
        }
    }

    private static long stored(JournaledShard shard) {
        QueueCounts counts = Answers.repeated(() -> shard.ledger().counts());
        return counts.delayed() + counts.ready() + counts.reserved() + counts.dead();
    }

    /** Cancels the jobs of a shard that Redis does not have, so that nothing of it is lost any more. Answers how many. */
    private long cancelLost(JournaledShard shard, RestoreLock lock) {
        long begun = jobs.now();
        Scope scope = new Scope(JournalScope.of(shard.id().queue()), begun);
        AtomicLong cancelled = new AtomicLong();
        Parts.each(
                new LostJobs(database, written, scope, new RestoreCounts()).find(shard, lock::keep),
                Ledger.MAX_BATCH,
                some -> cancelled.addAndGet(jobs.cancelLost(some)));
        database.shards().restored(shard.id(), begun);
        return cancelled.get();
    }

    private <T> T ask(Supplier<T> question) {
        return Asked.of(database.name(), question);
    }

    /** Cancels jobs that Redis is not known to have. New fences refuse those still on their way there, from a restore too. */
    private int cancelJournaled(String queue, List<JournaledShard> all) {
        all.forEach(shard -> {
            Answers.repeated(() -> shard.ledger().raiseFence(Fence.newTerm()));
            endRestores(shard);
        });
        return Objects.requireNonNull(
                database.own().execute(status -> database.relays().cancelJournaled(queue)));
    }

    private List<JournaledShard> shardsOf(JournalScope scope) {
        return shardsOf(scope.queue());
    }

    private List<JournaledShard> shardsOf(@Nullable String queue) {
        List<JournaledShard> all = shards.get().stream()
                .filter(shard -> queue == null || queue.equals(shard.id().queue()))
                .toList();
        if (queue != null && all.isEmpty()) {
            throw new IllegalArgumentException("queue '" + queue
                    + "' has no journal: no job was submitted to it yet, or delayjob.queues." + queue
                    + ".journal.mode (delayjob.journal.mode for all queues) is off here");
        }
        return all;
    }
}

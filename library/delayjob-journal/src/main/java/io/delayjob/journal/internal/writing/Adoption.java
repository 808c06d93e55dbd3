package io.delayjob.journal.internal.writing;

import io.delayjob.JobState;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Listing;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.journal.internal.tables.JobRow;
import io.delayjob.journal.internal.tables.JobTable;
import io.delayjob.journal.internal.tables.Status;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.SavepointManager;

/**
 * Gives rows to the jobs of a shard that Redis has and its log says nothing of: those from before the journal, and those that an
 * older state of Redis brought back. All jobs are looked through, a part at a time, in transactions that have the lock of the shard.
 * Rows written so are not older than those that are there, and every later step is in the log. A job that waits although the journal knows that it has
 * ended is cancelled instead, and so is one that was handed out before it ended: an older state of Redis brought it back. Claims wait for that,
 * see {@link io.delayjob.engine.ledger.Flow.Request#compares}. Schedules come first, because those that have fired must not fire again.
 */
final class Adoption {

    private static final Logger log = LoggerFactory.getLogger(Adoption.class);
    /** In the order in which jobs pass them; and before that those that run soon, because claims wait for a time only. */
    private static final List<JobState> STATES = List.of(
            JobState.READY, JobState.RESERVED, JobState.DELAYED, JobState.READY, JobState.RESERVED, JobState.DEAD);

    private final ShardId shard;
    private final Ledger ledger;
    private final JobTable jobs;
    private final ScheduleWriter schedules;
    private final LimitWriter limits;
    private int state;
    private Listing.@Nullable Position after;

    Adoption(ShardId shard, Ledger ledger, JobTable jobs, ScheduleWriter schedules, LimitWriter limits) {
        this.shard = shard;
        this.ledger = ledger;
        this.jobs = jobs;
        this.schedules = schedules;
        this.limits = limits;
    }

    /** Begins anew. */
    void restart() {
        state = 0;
        after = null;
        schedules.restart();
        limits.restart();
    }

    /**
     * Adopts the next part; false if it was the last.
     *
     * @param unlogged whether steps were lost that Redis has made
     */
    boolean next(boolean unlogged, SavepointManager transaction) {
        if (limits.adoptNext(unlogged, transaction) || schedules.compareNext(transaction)) {
            return true;
        }
        Listing.Answer found = LedgerReply.of(
                ledger.list(new Listing.Request(STATES.get(state), null, null, after, Ledger.MAX_BATCH)));
        adopt(
                found.jobs().stream()
                        .collect(Collectors.toMap(Listing.Entry::id, Listing.Entry::job, (first, second) -> second)),
                transaction);
        after = found.next();
        if (after == null) {
            state++;
        }
        boolean more = state < STATES.size();
        if (!more) {
            restart();
        }
        return more;
    }

    /** Adopts these jobs, if Redis has them still. */
    void find(Iterable<String> ids, SavepointManager transaction) {
        Map<String, StoredJob> found = new HashMap<>();
        ids.forEach(id -> LedgerReply.of(ledger.find(id))
                .filter(job -> STATES.contains(job.state()))
                .ifPresent(job -> found.put(id, job)));
        adopt(found, transaction);
    }

    private void adopt(Map<String, StoredJob> all, SavepointManager transaction) {
        Map<String, StoredJob> found = new HashMap<>(all);
        found.keySet().removeAll(cancelled(all));
        if (!found.isEmpty() && CarefulWriter.refused(() -> write(found), transaction) != null) {
            found.forEach((id, job) -> {
                RuntimeException failure = CarefulWriter.refused(() -> write(Map.of(id, job)), transaction);
                if (failure != null) {
                    log.error(
                            "job {} of {} is not in the journal: {}", id, shard, CarefulWriter.note(failure), failure);
                }
            });
        }
    }

    private Set<String> cancelled(Map<String, StoredJob> all) {
        Map<String, Map<Long, Long>> ended = jobs.ended(shard.queue(), all.keySet());
        List<String> ids = ended.keySet().stream()
                .filter(id -> hasEnded(Objects.requireNonNull(all.get(id)), Objects.requireNonNull(ended.get(id))))
                .toList();
        if (!ids.isEmpty()) {
            LedgerReply.of(ledger.cancel(new Call("journal:" + UUID.randomUUID(), 1), ids));
            log.warn(
                    "{} jobs of {} had ended, and an older state of Redis brought them back: they are cancelled, the"
                            + " first: {}",
                    ids.size(),
                    shard,
                    ids.get(0));
        }
        return Set.copyOf(ids);
    }

    /**
     * Whether a job has ended, and is about to run again. One that was handed out since runs already, and is left alone.
     *
     * @param ended when jobs of its id ended, by when they were submitted
     */
    private static boolean hasEnded(StoredJob job, Map<Long, Long> ended) {
        Long end = job.record() == null
                ? null
                : ended.get(JobContent.of(job.record()).submittedAt(-1));
        if (end == null || job.state() == JobState.DEAD) {
            return false;
        }
        Long claimed = job.attempt().claimedMillis();
        return job.state() != JobState.RESERVED || claimed == null || claimed <= end;
    }

    private void write(Map<String, StoredJob> found) {
        List<JobRow> unfinished = jobs.unfinished(shard.queue(), found.keySet());
        Map<String, JobRow> known = unfinished.stream()
                .filter(row -> row.shard().equals(shard))
                .filter(row -> row.status().live()
                        || row.status().isHeld()
                        || row.status().isOvertaken())
                .collect(Collectors.toMap(
                        JobRow::id, row -> row, (one, other) -> one.status().live() ? one : other));
        long now = jobs.now();
        Changes changes = new Changes();
        Map<String, JobRow> ofOthers = unfinished.stream()
                .filter(row -> !row.shard().equals(shard) && row.status().live())
                .collect(Collectors.toMap(JobRow::id, row -> row));
        found.forEach((id, job) -> {
            String record = job.record();
            if (record != null) {
                Status status = Statuses.found(job, now);
                JobRow other = ofOthers.get(id);
                if (other != null && isNewer(other, record)) {
                    status = status.notLive();
                } else if (other != null) {
                    changes.overtake(other);
                }
                put(id, record, status, known.get(id), now, changes);
            }
        });
        changes.make(jobs);
    }

    /** Whether the job of another shard was submitted after one of this shard, which then is of an older state of Redis, or has just ended. */
    private static boolean isNewer(JobRow other, String record) {
        return other.isSubmittedToRedisAfter(JobContent.of(record).submittedAt(Long.MAX_VALUE));
    }

    private void put(String id, String record, Status status, @Nullable JobRow known, long now, Changes changes) {
        if (known != null && known.status().relayAt() != null && !known.status().isHeld()) {
            // Another job, which waits here alone. It keeps its turn to be brought to Redis, but not the id.
            changes.put(known.with(known.status().notLive()), false);
            put(id, record, status, null, now, changes);
            return;
        }
        if (known != null && known.stored().record().equals(record)) {
            changes.put(known.with(status), false);
            return;
        }
        // Its own lease and its dedupe key are not found.
        JobContent found = JobContent.of(record).withStatedPriority();
        JobContent content = found.asSubmitted();
        long submitted = found.submittedAt(now);
        if (known == null) {
            changes.put(new JobRow(0, shard, id, content, submitted, status, null), true);
        } else if (known.content().record().equals(content.record())) {
            changes.put(new JobRow(known.seq(), shard, id, known.content(), submitted, status, known.mark()), false);
        } else {
            changes.put(new JobRow(known.seq(), shard, id, content, submitted, status, null), true);
        }
    }
}

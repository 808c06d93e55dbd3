package io.delayjob.engine.memory;

import io.delayjob.JobState;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Listing.Position;
import io.delayjob.engine.ledger.RestorePermit;
import io.delayjob.engine.ledger.RestoredJob;
import io.delayjob.engine.ledger.StoredJob;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The data of a shard. Each unfinished job is in {@code jobs}, and in exactly one of {@code waiting}, {@code reserved} and {@code dead}.
 * Guarded by its own lock.
 */
final class MemoryShard {

    final Map<String, MemoryJob> jobs = new HashMap<>();
    final ScoredIds reserved = new ScoredIds();
    final Waiting waiting = new Waiting(reserved);
    final ScoredIds dead = new ScoredIds();
    final MarkedJobs index = new MarkedJobs();
    final FinishedJobs finished = new FinishedJobs();
    final DedupeKeys keys = new DedupeKeys();
    final Members members = new Members();
    final Hints hints = new Hints(this);
    final Pulse pulse;
    final MemoryPointers.Kept pointers = new MemoryPointers.Kept();
    final Memos memos = new Memos();
    final MemoryFlow flow = new MemoryFlow();
    final MemorySchedules.Kept schedules = new MemorySchedules.Kept();
    final MemoryDoorbell doorbell;

    /** That of the next call that may put jobs back; null before the first restore. */
    @Nullable RestorePermit restores;

    long epoch;
    boolean paused;

    /** Over how many shards the queue is spread; 0 if nobody has said so. */
    int shards;

    long busyUntil;
    private long watermark;
    private long watermarkUntil;

    MemoryShard(MemoryDoorbell doorbell, Pulse pulse) {
        this.doorbell = doorbell;
        this.pulse = pulse;
    }

    /** A job with its state and the score that goes with it; a finished job only if no unfinished one has its id. */
    @Nullable StoredJob find(String id, long now) {
        MemoryJob job = jobs.get(id);
        if (job == null) {
            return finished.get(id);
        }
        Long due = waiting.until(id);
        if (due != null) {
            return job.stored(due <= now ? JobState.READY : JobState.DELAYED, due);
        }
        Long expiry = reserved.score(id);
        if (expiry != null) {
            return job.stored(JobState.RESERVED, expiry);
        }
        Long death = dead.score(id);
        if (death == null) {
            throw new IllegalStateException("in no place: " + id);
        }
        return job.stored(JobState.DEAD, death);
    }

    /** The job with an id, which must exist. */
    MemoryJob job(String id) {
        MemoryJob job = jobs.get(id);
        if (job == null) {
            throw new IllegalStateException("no such job: " + id);
        }
        return job;
    }

    /** The job that a lease still holds; null if it holds none. */
    @Nullable MemoryJob held(Lease lease) {
        MemoryJob job = jobs.get(lease.id());
        return job != null && !job.token.isEmpty() && job.token.equals(lease.token()) ? job : null;
    }

    /** Adds a job, which is then to be put into a set. */
    void add(MemoryJob job) {
        jobs.put(job.id, job);
        index.add(job);
    }

    /** Removes a job from all sets. */
    void remove(MemoryJob job) {
        jobs.remove(job.id);
        index.remove(job);
        leave(job);
        keys.free(job);
    }

    private void leave(MemoryJob job) {
        waiting.remove(job);
        if (reserved.remove(job.id)) {
            waiting.letGo(job);
        }
        if (dead.remove(job.id)) {
            waiting.removeDead(job);
        }
    }

    void moveToWaiting(MemoryJob job, long dueMillis) {
        leave(job);
        waiting.add(job, dueMillis);
    }

    /** Makes a job wait that is put back. */
    void restoreWaiting(MemoryJob job, RestoredJob restored) {
        Long place = restored.placeMillis();
        waiting.restore(job, restored.dueMillis(), place == null ? restored.dueMillis() : place);
    }

    /** Makes a job wait again that a claim has handed out or passed on. */
    void moveBackToWaiting(MemoryJob job, long dueMillis) {
        leave(job);
        waiting.addBack(job, dueMillis);
    }

    void moveToReserved(MemoryJob job, long expiryMillis) {
        leave(job);
        reserved.put(job.id, expiryMillis);
        waiting.hold(job);
    }

    void moveToDead(MemoryJob job, long deathMillis) {
        leave(job);
        dead.put(job.id, deathMillis);
        waiting.addDead(job);
    }

    /** Logs what happened to a job, which is where it then is. */
    void note(Flow.Kind kind, MemoryJob job, long now) {
        note(kind, job, null, null, now);
    }

    void note(Flow.Kind kind, MemoryJob job, @Nullable String text, @Nullable JobContent content, long now) {
        note(kind, job, text, content, null, now);
    }

    void note(
            Flow.Kind kind,
            MemoryJob job,
            @Nullable String text,
            @Nullable JobContent content,
            @Nullable Long tag,
            long now) {
        Long due = waiting.until(job.id);
        Long death = dead.score(job.id);
        JobState state = due != null ? JobState.DELAYED : death != null ? JobState.DEAD : JobState.RESERVED;
        flow.note(
                kind,
                job.id,
                state,
                job.attempt,
                due == null ? death : due,
                place(kind, job, due, death),
                state == JobState.RESERVED ? job.node : null,
                text,
                content,
                tag,
                now);
    }

    private @Nullable Long place(Flow.Kind kind, MemoryJob job, @Nullable Long due, @Nullable Long death) {
        if (due != null) {
            return waiting.placeOf(job, due);
        } else if (kind == Flow.Kind.RESTORE) {
            return job.seat == null ? null : (Long) job.seat.millis();
        }
        return death == null ? null : waiting.placeOfDead(job);
    }

    /** Makes a dead job wait again; one that holds its key keeps its place. */
    void redrive(MemoryJob job, long dueMillis) {
        if (waiting.placeOfDead(job) == null) {
            moveToWaiting(job, dueMillis);
        } else {
            moveBackToWaiting(job, dueMillis);
        }
    }

    /** Adds a dead job that is put back. */
    void restoreDead(MemoryJob job, RestoredJob restored) {
        Long place = restored.placeMillis();
        if (place != null) {
            waiting.lanes.seatDead(job, place);
        }
        moveToDead(job, restored.dueMillis());
    }

    /** Gives a waiting job a new due time, and forgets that nodes could not run it. */
    void due(MemoryJob job, long millis) {
        job.noHandlerSinceMillis = null;
        waiting.add(job, millis);
    }

    /** Gives a job that was passed on its due time back. */
    void takeBack(MemoryJob job, long millis) {
        job.noHandlerSinceMillis = null;
        waiting.addBack(job, millis);
    }

    /** Whether the job holds the key and waits for its first attempt. */
    boolean fresh(String id, String key) {
        MemoryJob job = jobs.get(id);
        return job != null && key.equals(job.key()) && job.attempt == 0 && waiting.until(id) != null;
    }

    /** The id of the job that holds a key; null if the key is free. */
    @Nullable String first(String key, long now) {
        DedupeKeys.Entry entry = keys.get(key);
        return entry != null && taken(entry, key, now) ? entry.id() : null;
    }

    private boolean taken(DedupeKeys.Entry entry, String key, long now) {
        MemoryJob job = jobs.get(entry.id());
        return switch (entry.scope()) {
            case UNTIL_STARTED -> fresh(entry.id(), key);
            case UNTIL_FINISHED -> job != null && key.equals(job.key()) && !dead.contains(entry.id());
            case WINDOW -> entry.untilMillis() > now;
        };
    }

    /** The time until another claim is worthwhile, in milliseconds; null if no job waits and no lease runs. */
    @Nullable Long toNext(long now, int ahead) {
        Long worthwhile = waiting.worthwhileAt(ahead, now);
        Position expiry = reserved.first();
        if (worthwhile == null && expiry == null) {
            return null;
        }
        long lost = expiry == null ? Long.MAX_VALUE : Math.max(expiry.millis(), pulse.gracePeriodEnd(now));
        return Math.max(0, Math.min(worthwhile == null ? Long.MAX_VALUE : worthwhile, lost) - now);
    }

    /** Notes up to which due time doorbells are arranged. */
    void arranged(long upTo, long until) {
        watermark = upTo;
        watermarkUntil = until;
    }

    /**
     * Rings if one of the changed jobs is the next one, or limits may let another one begin, and it has no arranged doorbell: it is due within
     * the arranged time, or nobody arranges doorbells.
     */
    void ring(Set<String> changed, long now) {
        Position next = waiting.first();
        boolean opened = waiting.lanes.wasOpened();
        if (next != null
                && (opened || changed.contains(next.id()))
                && (watermarkUntil <= now || next.millis() <= watermark)) {
            doorbell.ring();
        }
    }
}

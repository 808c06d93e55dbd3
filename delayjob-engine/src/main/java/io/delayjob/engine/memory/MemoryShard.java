package io.delayjob.engine.memory;

import io.delayjob.JobState;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Listing.Position;
import io.delayjob.engine.ledger.StoredJob;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is kept of a shard. Each unfinished job is in {@code jobs}, and its id in one of the three places. Guarded by itself. */
final class MemoryShard {

    final Map<String, MemoryJob> jobs = new HashMap<>();
    final ScoredIds waiting = new ScoredIds();
    final ScoredIds reserved = new ScoredIds();
    final ScoredIds dead = new ScoredIds();
    final FinishedJobs finished = new FinishedJobs();
    final DedupeKeys keys = new DedupeKeys();
    final Members members = new Members();
    final Hints hints = new Hints(this);
    final Pulse pulse = new Pulse();
    final Memos memos = new Memos();
    final MemoryDoorbell doorbell;

    long epoch;
    boolean paused;
    long busyUntil;
    private long watermark;
    private long watermarkUntil;

    MemoryShard(MemoryDoorbell doorbell) {
        this.doorbell = doorbell;
    }

    /** A job with its state and the score that goes with it; a finished one only if there is no unfinished one of its id. */
    @Nullable StoredJob find(String id, long now) {
        MemoryJob job = jobs.get(id);
        if (job == null) {
            return finished.get(id);
        }
        Long due = waiting.score(id);
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

    /** A job that there is. */
    MemoryJob job(String id) {
        MemoryJob job = jobs.get(id);
        if (job == null) {
            throw new IllegalStateException("no such job: " + id);
        }
        return job;
    }

    /** The job that a lease still holds, or null. */
    @Nullable MemoryJob held(Lease lease) {
        MemoryJob job = jobs.get(lease.id());
        return job != null && !job.token.isEmpty() && job.token.equals(lease.token()) ? job : null;
    }

    /** Takes a job out of every place. */
    void remove(MemoryJob job) {
        jobs.remove(job.id);
        waiting.remove(job.id);
        reserved.remove(job.id);
        dead.remove(job.id);
        keys.free(job);
    }

    /** Puts a job into the one place where it is from now on. */
    void move(MemoryJob job, ScoredIds place, long score) {
        waiting.remove(job.id);
        reserved.remove(job.id);
        dead.remove(job.id);
        place.put(job.id, score);
    }

    /** Gives a job that waits a new due time. That no node could run it is then forgotten. */
    void due(MemoryJob job, long millis) {
        job.noHandlerSinceMillis = null;
        waiting.put(job.id, millis);
    }

    /** Whether the job is that of the key and still waits for its first attempt. */
    boolean fresh(String id, String key) {
        MemoryJob job = jobs.get(id);
        return job != null && key.equals(job.key) && job.attempt == 0 && waiting.contains(id);
    }

    /** The id of the job that has a key, or null if the key is free. */
    @Nullable String first(String key, long now) {
        DedupeKeys.Entry entry = keys.get(key);
        return entry != null && taken(entry, key, now) ? entry.id() : null;
    }

    private boolean taken(DedupeKeys.Entry entry, String key, long now) {
        MemoryJob job = jobs.get(entry.id());
        return switch (entry.scope()) {
            case UNTIL_STARTED -> fresh(entry.id(), key);
            case UNTIL_FINISHED -> job != null && key.equals(job.key) && !dead.contains(entry.id());
            case WINDOW -> entry.untilMillis() > now;
        };
    }

    /** Until it is worth to claim again so much ahead; null if nothing waits and no lease runs. */
    @Nullable Long toNext(long now, int ahead) {
        Position due = waiting.first();
        Position expiry = reserved.first();
        if (due == null && expiry == null) {
            return null;
        }
        long lost = expiry == null ? Long.MAX_VALUE : Math.max(expiry.millis(), pulse.respiteEnd(now));
        return Math.max(0, Math.min(due == null ? Long.MAX_VALUE : due.millis() - ahead / 2, lost) - now);
    }

    /** Doorbells are arranged up to that due time. */
    void arranged(long upTo, long until) {
        watermark = upTo;
        watermarkUntil = until;
    }

    /** Rings if one of the changed jobs is the next, and due sooner than any doorbell was arranged for, or nobody arranges any. */
    void ring(Set<String> changed, long now) {
        Position next = waiting.first();
        if (next != null && changed.contains(next.id()) && (watermarkUntil <= now || next.millis() <= watermark)) {
            doorbell.ring();
        }
    }
}

package io.delayjob.engine.memory;

import io.delayjob.JobState;
import io.delayjob.Progress;
import io.delayjob.engine.ledger.Attempt;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.StoredJob;
import org.jspecify.annotations.Nullable;

/** An unfinished job: what it is, and what changes about it but for its place. */
final class MemoryJob {

    final String id;
    final String record;
    final @Nullable Long leaseMillis;
    final @Nullable String key;

    String token = "";
    int attempt;
    int lost;

    @Nullable Long dueMillis;

    @Nullable Long claimedMillis;

    @Nullable Long noHandlerSinceMillis;

    @Nullable String node;

    @Nullable String error;

    @Nullable Progress progress;

    MemoryJob(String id, String record, @Nullable Long leaseMillis, @Nullable String key) {
        this.id = id;
        this.record = record;
        this.leaseMillis = leaseMillis;
        this.key = key;
    }

    /** The claim is over. */
    void free() {
        token = "";
        node = null;
    }

    /** The attempt is over, and its node has settled it. */
    void end() {
        free();
        lost = 0;
        noHandlerSinceMillis = null;
    }

    /** Its lease ran out: its node ran it, and died. */
    void lose() {
        lost++;
        noHandlerSinceMillis = null;
    }

    /** It is handed out at its place among those that wait, which is only when it is offered again if no node could run it. */
    void due(long millis) {
        if (noHandlerSinceMillis == null || dueMillis == null) {
            dueMillis = Math.max(0, millis);
        }
    }

    /** Its attempts are counted from the start. */
    void renew() {
        attempt = 0;
        lost = 0;
        dueMillis = null;
        claimedMillis = null;
        noHandlerSinceMillis = null;
    }

    private Attempt attempt() {
        return new Attempt(attempt, dueMillis, claimedMillis, noHandlerSinceMillis);
    }

    Claimed.Job claimed(boolean expired, long now) {
        return new Claimed.Job(new Lease(id, token), record, attempt(), leaseMillis, lost, expired, now * 1000);
    }

    StoredJob stored(JobState state, long at) {
        return new StoredJob(state, at, record, attempt(), node, error, progress, null);
    }

    /** What is kept of it when it has finished. */
    StoredJob ended(JobState state, long at, @Nullable String result) {
        Attempt last = new Attempt(attempt, dueMillis, claimedMillis, null);
        return new StoredJob(state, at, record, last, null, null, progress, result);
    }
}

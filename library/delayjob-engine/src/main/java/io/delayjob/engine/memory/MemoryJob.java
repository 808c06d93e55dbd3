package io.delayjob.engine.memory;

import io.delayjob.JobState;
import io.delayjob.Progress;
import io.delayjob.engine.ledger.Attempt;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.StoredJob;
import org.jspecify.annotations.Nullable;

/** An unfinished job: its content and its facts. Its state is the set it is in. */
final class MemoryJob {

    final String id;
    final JobContent content;

    String token = "";
    int attempt;
    int lost;

    /** Whether an attempt had begun that was given back. */
    boolean begun;

    @Nullable Long dueMillis;

    @Nullable Long claimedMillis;

    @Nullable Long noHandlerSinceMillis;

    /** Where it is, or was last, in the lane of its key; null without a key. */
    Lanes.@Nullable Seat seat;

    @Nullable String node;

    @Nullable String error;

    @Nullable Progress progress;

    MemoryJob(String id, JobContent content) {
        this.id = id;
        this.content = content;
    }

    /** Its dedupe key; null for none. */
    @Nullable String key() {
        return content.dedupe() == null ? null : content.dedupe().key();
    }

    /** Ends the claim. */
    void free() {
        token = "";
        node = null;
    }

    /** Ends an attempt that has failed; which node had it stays known. */
    void end() {
        token = "";
        lost = 0;
        noHandlerSinceMillis = null;
    }

    /** Counts an attempt whose lease ran out, because its node died while running it. */
    void lose() {
        lost++;
        noHandlerSinceMillis = null;
    }

    /**
     * Sets the due time of the next attempt to the job's score among the waiting jobs. If no node could run the job, the score is
     * only the time at which it is offered again, so the due time stays.
     */
    void due(long millis) {
        if (noHandlerSinceMillis == null || dueMillis == null) {
            dueMillis = Math.max(0, millis);
        }
    }

    /** Resets the attempts for a redrive. */
    void renew() {
        attempt = 0;
        lost = 0;
        begun = false;
        dueMillis = null;
        claimedMillis = null;
        noHandlerSinceMillis = null;
    }

    private Attempt attempt() {
        return new Attempt(attempt, dueMillis, claimedMillis, noHandlerSinceMillis);
    }

    Claimed.Job claimed(boolean expired, long now) {
        return new Claimed.Job(
                new Lease(id, token),
                content.record(),
                attempt(),
                content.leaseMillis(),
                lost,
                expired,
                begun,
                now * 1000);
    }

    StoredJob stored(JobState state, long at) {
        return new StoredJob(state, at, content.record(), attempt(), node, error, progress, null);
    }

    /** The job as it is retained after it has finished. */
    StoredJob ended(JobState state, long at, @Nullable String result) {
        Attempt last = new Attempt(attempt, dueMillis, claimedMillis, null);
        return new StoredJob(state, at, content.record(), last, null, null, progress, result);
    }
}

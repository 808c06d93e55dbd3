package io.delayjob.engine.memory;

import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.engine.ledger.RestoredJob;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which job took a dedupe key last, and for how long. An entry may be out of date; whoever reads it must check. */
final class DedupeKeys {

    private final Map<String, Entry> entries = new HashMap<>();
    private final ScoredIds windows = new ScoredIds();

    /**
     * The job that took a key.
     *
     * @param id the job's id
     * @param scope how long it keeps the key
     * @param untilMillis the end of the window, in milliseconds since 1970; 0 if the scope is another one
     */
    record Entry(String id, Dedupe.Scope scope, long untilMillis) {}

    @Nullable Entry get(String key) {
        return entries.get(key);
    }

    /** Gives a key to a job. A window begins at {@code from}. */
    void take(Dedupe dedupe, String id, long from) {
        Duration window = dedupe.window();
        long until = window == null ? 0 : from + window.toMillis();
        entries.put(dedupe.key(), new Entry(id, dedupe.scope(), until));
        windows.remove(dedupe.key());
        if (window != null) {
            windows.put(dedupe.key(), until);
        }
    }

    /** Gives a free key back to a restored job that would still hold it. A window begins when the job was submitted. */
    void restore(Dedupe dedupe, RestoredJob job, long now) {
        boolean waits = job.state() == JobState.DELAYED;
        Duration window = dedupe.window();
        long from = window == null ? now : job.content().submittedAt(0);
        boolean holds = switch (dedupe.scope()) {
            case UNTIL_STARTED -> waits && job.attempt() == 0;
            case UNTIL_FINISHED -> waits;
            case WINDOW -> window != null && from + window.toMillis() > now;
        };
        if (holds) {
            take(dedupe, job.id(), from);
        }
    }

    /** Frees the key of a job that has finished. */
    void free(MemoryJob job) {
        String key = job.key();
        Entry entry = key == null ? null : entries.get(key);
        if (entry != null && entry.scope() != Dedupe.Scope.WINDOW && entry.id().equals(job.id)) {
            entries.remove(key);
        }
    }

    /** Removes keys whose window has ended. */
    void expire(long now, int limit) {
        windows.upTo(now, limit).forEach(over -> {
            windows.remove(over.id());
            entries.remove(over.id());
        });
    }
}

package io.delayjob.engine.memory;

import io.delayjob.Dedupe;
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

    void take(Dedupe dedupe, String id, long now) {
        Duration window = dedupe.window();
        long until = window == null ? 0 : now + window.toMillis();
        entries.put(dedupe.key(), new Entry(id, dedupe.scope(), until));
        windows.remove(dedupe.key());
        if (window != null) {
            windows.put(dedupe.key(), until);
        }
    }

    /** Frees the key of a job that has finished. */
    void free(MemoryJob job) {
        Entry entry = job.key == null ? null : entries.get(job.key);
        if (entry != null && entry.scope() != Dedupe.Scope.WINDOW && entry.id().equals(job.id)) {
            entries.remove(job.key);
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

package io.delayjob.engine.memory;

import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.engine.ledger.RestoredJob;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which job took a dedupe key last, and for how long. An entry may be out of date; whoever reads it must check. */
final class DedupeKeys {

    private static final Pattern OPENING = Pattern.compile("\\{\"v\":1,\"at\":(\\d{1,15}),");

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
        long from = window == null ? now : submitted(job.record());
        boolean holds = switch (dedupe.scope()) {
            case UNTIL_STARTED -> waits && job.attempt() == 0;
            case UNTIL_FINISHED -> waits;
            case WINDOW -> window != null && from + window.toMillis() > now;
        };
        if (holds) {
            take(dedupe, job.id(), from);
        }
    }

    private static long submitted(String record) {
        Matcher opening = OPENING.matcher(record);
        return opening.lookingAt() ? Long.parseLong(opening.group(1)) : 0;
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

package io.delayjob.server.internal.protocols;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where a job is that is named by its id alone.
 *
 * @param queue its queue
 * @param notedMillis when this was noted, by the clock of the server that did
 * @param handle the handle of its last reservation; null before the first
 */
record JobPlace(String queue, long notedMillis, @Nullable String handle) {

    /** How long a submit may take after the place of its job was noted. */
    private static final Duration SUBMIT = Duration.ofMinutes(1);

    static JobPlace of(String queue) {
        return new JobPlace(queue, System.currentTimeMillis(), null);
    }

    static JobPlace reserved(String queue, String handle) {
        return new JobPlace(queue, System.currentTimeMillis(), handle);
    }

    static JobPlace parse(String text) {
        String[] parts = text.split(" ", -1);
        return new JobPlace(parts[0], Long.parseLong(parts[1]), parts.length > 2 ? parts[2] : null);
    }

    String text() {
        return queue + " " + notedMillis + (handle == null ? "" : " " + handle);
    }

    /** Whether its job may be on its way to Redis. */
    boolean isRecent() {
        return System.currentTimeMillis() - notedMillis < SUBMIT.toMillis();
    }
}

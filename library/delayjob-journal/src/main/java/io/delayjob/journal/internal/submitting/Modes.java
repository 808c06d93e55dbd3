package io.delayjob.journal.internal.submitting;

import io.delayjob.spring.autoconfigure.DelayJobJournalProperties.Mode;
import java.util.Map;

/**
 * Which submits are written to the database first, by queue.
 *
 * @param others of queues without one of their own
 * @param named of single queues
 */
public record Modes(Mode others, Map<String, Mode> named) {

    /** Copies the modes. */
    public Modes {
        named = Map.copyOf(named);
    }

    /** Whether a queue has a journal. */
    public boolean has(String queue) {
        return of(queue) != Mode.OFF;
    }

    /** Of a queue. */
    public Mode of(String queue) {
        return named.getOrDefault(queue, others);
    }
}

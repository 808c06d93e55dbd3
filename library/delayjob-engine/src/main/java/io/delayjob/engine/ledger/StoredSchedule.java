package io.delayjob.engine.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as a ledger has it. All times are in milliseconds since 1970.
 *
 * @param name its name, of which there is one in all queues
 * @param version grows with each edit and each resume
 * @param definition the instants, the policies and the job of each occurrence; the ledger does not read it
 * @param nextMillis its next instant; null if none follows
 * @param lastMillis the last instant that was decided; null before the first
 * @param sinceMillis when it was resumed last; no instant up to then fires; 0 before
 * @param heldMillis instants up to then were served in time, and wait for the occurrence before unless they were decided; 0 before any waited
 * @param paused whether it is paused
 * @param fired how many occurrences it has stored
 * @param skipped how many instants were skipped
 * @param job the id of its last occurrence; null before the first
 * @param undeclaredMillis since when no node declares it, though one did; null if one does, or none ever did
 * @param decisions its last decisions, at most {@link #KEPT}, the latest last
 */
public record StoredSchedule(
        String name,
        long version,
        String definition,
        @Nullable Long nextMillis,
        @Nullable Long lastMillis,
        long sinceMillis,
        long heldMillis,
        boolean paused,
        long fired,
        long skipped,
        @Nullable String job,
        @Nullable Long undeclaredMillis,
        List<Decided> decisions) {

    /** How many decisions are kept of each schedule. */
    public static final int KEPT = 50;

    /** Copies the decisions. */
    public StoredSchedule {
        decisions = List.copyOf(decisions);
    }

    /** The schedule while its next instant waits for the occurrence before. */
    public StoredSchedule held(long millis) {
        return new StoredSchedule(
                name,
                version,
                definition,
                nextMillis,
                lastMillis,
                sinceMillis,
                millis,
                paused,
                fired,
                skipped,
                job,
                undeclaredMillis,
                decisions);
    }

    /** The same schedule when no node declares it since a time. */
    public StoredSchedule undeclaredSince(@Nullable Long millis) {
        return new StoredSchedule(
                name,
                version,
                definition,
                nextMillis,
                lastMillis,
                sinceMillis,
                heldMillis,
                paused,
                fired,
                skipped,
                job,
                millis,
                decisions);
    }

    /** The same schedule with other decisions. */
    public StoredSchedule withDecisions(List<Decided> newDecisions) {
        return new StoredSchedule(
                name,
                version,
                definition,
                nextMillis,
                lastMillis,
                sinceMillis,
                heldMillis,
                paused,
                fired,
                skipped,
                job,
                undeclaredMillis,
                newDecisions);
    }

    /** The same schedule with the last of its decisions alone. */
    public StoredSchedule withLastDecision() {
        return withDecisions(decisions.subList(Math.max(0, decisions.size() - 1), decisions.size()));
    }

    /** Whether an instant was served in time and waits for the occurrence before, unless it was decided. */
    public boolean holds(long instantMillis) {
        return instantMillis <= heldMillis;
    }

    /**
     * The decision about an instant, or about several in a row that were skipped.
     *
     * @param instantMillis the instant; of several, the last
     * @param instants how many
     * @param reason why they were skipped; empty if the instant fired
     * @param job the id of its occurrence, or of the job because of which it was skipped; empty for none
     */
    public record Decided(long instantMillis, long instants, String reason, String job) {}
}

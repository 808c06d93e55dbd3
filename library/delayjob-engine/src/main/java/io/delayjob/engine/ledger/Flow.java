package io.delayjob.engine.ledger;

import io.delayjob.JobState;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The flow log of a shard: every change of state of its jobs and schedules, in the order in which the ledger made them. The ledger keeps it only for
 * as long as somebody asks for it; each {@link Ledger#flow} keeps it going for {@link #KEPT_MILLIS}.
 *
 * <p>Each call that changes jobs leaves one entry, with one step for each change. An entry has a position, {@code ms-n}, which grows
 * from entry to entry; see {@link #ORDER}.
 */
public final class Flow {

    /** For how long a call of {@link Ledger#flow} keeps the log going, in milliseconds: one hour. */
    public static final long KEPT_MILLIS = 3_600_000;

    /** Once the journal has not compared for so long, claims wait for it, in milliseconds. See {@link Request#compares}. */
    public static final long COMPARED_MILLIS = 3000;

    /** For how long claims wait for the journal at most, in milliseconds. */
    public static final long PATIENCE_MILLIS = 15_000;

    /** The position before all others; the last position of a log without entries. */
    public static final String NOTHING = "0-0";

    /** Orders positions, see {@link FlowPosition}. */
    public static final Comparator<String> ORDER = Comparator.comparing(FlowPosition::of);

    /** How a message begins that says that a log is full, as that of Redis' scripts does. */
    private static final String FULL = "the flow log of the queue is full";

    private Flow() {}

    /** Why a job is not stored while a log is full. */
    public static String full(long entries, long bound) {
        return FULL + ": " + entries
                + " entries wait to be written to its journal, and at most " + bound
                + " may. Bring the journal's database back, or raise delayjob.journal.max-flow-entries";
    }

    /** Whether a call failed because a log is full, which passes when it is written. */
    public static boolean isFull(LedgerException failure) {
        return failure.kind() == LedgerException.Kind.REFUSED
                && String.valueOf(failure.getMessage()).contains(FULL);
    }

    /**
     * A request to read entries of the flow log.
     *
     * @param after the position to continue after; null to start at the first entry
     * @param limit the most entries to answer, 0 to 1000; fewer if they have more than about a megabyte, but at least one
     * @param bound the most entries that the log may have, 1 or more; once it has so many, the ledger hands out no jobs and stores none
     * @param compares whether the reader's journal knows all jobs of the shard. If it does, and the entry at {@code after} is in the log, it has
     *     <em>compared</em>: the ledger has not gone back to a state from before what the journal knows. A journal that compared once does so all
     *     the time, and where it has not for {@link #COMPARED_MILLIS}, claims find nothing until it has, for at most {@link #PATIENCE_MILLIS}
     */
    public record Request(@Nullable String after, int limit, long bound, boolean compares) {

        /** Checks the values. */
        public Request {
            if (limit < 0 || limit > 1000) {
                throw new IllegalArgumentException("limit of a page of the flow log must be 0 to 1000: " + limit);
            }
            if (bound < 1) {
                throw new IllegalArgumentException("bound of a flow log must be 1 or more: " + bound);
            }
        }

        /** Of a reader that compares nothing. */
        public Request(@Nullable String after, int limit, long bound) {
            this(after, limit, bound, false);
        }
    }

    /**
     * The entries that follow a position.
     *
     * @param anchored whether the entry at {@link Request#after} is still in the log; true if that is null. If not, the ledger's data
     *     is not the data that had this entry: it was emptied, or is an older copy. The entries after the position are answered all the same
     * @param steps the steps of the entries, in order
     * @param read the position of the last entry that was read, whose steps are all in {@code steps}; {@link Request#after} if none
     *     was, or {@link #NOTHING} if that is null. The position to continue after
     * @param last the last position of the log; {@link #NOTHING} if it has no entries
     * @param entries how many entries the log has, those before the position included
     * @param nowMillis the ledger's clock, in milliseconds since 1970
     * @param fence the fence of the shard at that moment: all submits that an earlier fence let in are in the log
     */
    public record Page(
            boolean anchored, List<Step> steps, String read, String last, long entries, long nowMillis, Fence fence) {

        /** Copies the steps. */
        public Page {
            steps = List.copyOf(steps);
        }
    }

    /**
     * Which jobs the ledger does not have, and how far its log had come then.
     *
     * @param ids the jobs that are neither waiting, nor running, nor dead; some may have finished
     * @param last the last position of the log at that moment; {@link #NOTHING} if it has no entries
     */
    public record Missing(Set<String> ids, String last) {

        /** Copies the ids. */
        public Missing {
            ids = Set.copyOf(ids);
        }
    }

    /**
     * One step in the life of a job. The state, attempt and due time are those after the step.
     *
     * @param position the position of its entry
     * @param item its place in the entry, from 0
     * @param kind the kind of step
     * @param atMillis when, by the ledger's clock, in milliseconds since 1970; grows with the position, unless that clock is set back
     * @param id the job, the schedule (SCHEDULE) or the key (LIMITS and PAUSE, empty for the queue); empty for {@link Kind#START}
     * @param state the state of the job: {@link JobState#DELAYED} if it waits, whether it is due or not; null if this job does not
     *     exist (PURGE, REFUSE), and for START, SCHEDULE, LIMITS and PAUSE
     * @param attempt how many attempts have begun and were not given back; 0 if the state is null
     * @param dueMillis when it is due, or is offered again, if it waits; when it died, if it is dead; null in any other state
     * @param placeMillis the due time by which it keeps its place before other jobs of its key, if it waits and that is not {@code dueMillis},
     *     or if it is dead and holds its key; null otherwise. See {@link RestoredJob}
     * @param node the worker that has the job (CLAIM), or whose lease ended (EXPIRE); null for any other step
     * @param text the error (RETRY), the reason (BURY) or the result as JSON (COMPLETE, null without one); the error of a restored
     *     job; the id of the job that took its place (REPLACE) or stands in its way (REFUSE); what is set now (LIMITS, null
     *     for nothing), see {@link SetLimits#text}; 1 if it is paused now (PAUSE), null if not; null for any other step. May contain any character
     * @param content the content of the job as it is stored (SUBMIT, RESTORE); null for any other step
     * @param tag which submit of a journaled job it was (SUBMIT, REFUSE), see {@link NewJob.Journaled}; null for any other step, and if no
     *     journal had the job
     * @param schedule the schedule as it is then (SCHEDULE); null if it was removed, and for any other step
     */
    public record Step(
            String position,
            int item,
            Kind kind,
            long atMillis,
            String id,
            @Nullable JobState state,
            int attempt,
            @Nullable Long dueMillis,
            @Nullable Long placeMillis,
            @Nullable String node,
            @Nullable String text,
            @Nullable JobContent content,
            @Nullable Long tag,
            @Nullable KeptSchedule schedule) {

        /** A step of a job that has the place of its due time. */
        public Step(
                String position,
                int item,
                Kind kind,
                long atMillis,
                String id,
                @Nullable JobState state,
                int attempt,
                @Nullable Long dueMillis,
                @Nullable String node,
                @Nullable String text,
                @Nullable JobContent content,
                @Nullable Long tag) {
            this(position, item, kind, atMillis, id, state, attempt, dueMillis, null, node, text, content, tag, null);
        }

        /** The same step at another position. */
        public Step at(String newPosition) {
            return new Step(
                    newPosition,
                    item,
                    kind,
                    atMillis,
                    id,
                    state,
                    attempt,
                    dueMillis,
                    placeMillis,
                    node,
                    text,
                    content,
                    tag,
                    schedule);
        }
    }

    /** The kinds of steps. */
    public enum Kind {
        /**
         * The log begins, or begins again after nobody kept it going. Steps of jobs between this one and the one before are not in
         * the log.
         */
        START,
        /** It was stored and waits. If a job of this id waited already, it was postponed: this one is in its place. */
        SUBMIT,
        /** A submit that stored nothing: the id exists, or the dedupe key is taken. The job named by the text is as it was. */
        REFUSE,
        /** A new job with its dedupe key took its place. */
        REPLACE,
        /** It was handed out. */
        CLAIM,
        /** Its lease ended; a CLAIM or PASS_ON follows in the same entry. */
        EXPIRE,
        /** It was left to the nodes that have a handler for it. */
        PASS_ON,
        /** It is due as it was before it was passed on, because a node with its handler asks for it. */
        TAKE_BACK,
        /** It succeeded. */
        COMPLETE,
        /** An attempt failed, and it waits for the next one. */
        RETRY,
        /** It was given up. */
        BURY,
        /** It was given back; the attempt is not counted. */
        RELEASE,
        /** It was cancelled. */
        CANCEL,
        /** It has a new due time. */
        RESCHEDULE,
        /** It was dead and waits again, with its attempts reset. */
        REDRIVE,
        /** It was dead and is removed for good. */
        PURGE,
        /** It was put back, as it was. */
        RESTORE,
        /** A schedule was put, paused, resumed, moved on by decided instants, restored or removed. No step of a job. */
        SCHEDULE,
        /** Limits of the queue or of a key were set, cleared or restored. No step of a job. */
        LIMITS,
        /** The queue or a key was paused or resumed. No step of a job. */
        PAUSE,
        /** Something that this release does not know. State, attempt and time are right. */
        OTHER;

        /** Whether it is a step of a job. */
        public boolean isOfJob() {
            return this != START && this != SCHEDULE && !isOfLimits();
        }

        /** Whether it is a step of the limits, or of the pause, of the queue or of a key. */
        public boolean isOfLimits() {
            return this == LIMITS || this == PAUSE;
        }
    }
}

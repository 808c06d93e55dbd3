package io.delayjob.engine.ledger;

import io.delayjob.Schedule;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The schedules of one shard. Nodes compute the instants and propose what becomes of each; the ledger decides each instant once, by its own
 * clock. Every step is safe to repeat. Futures fail with {@link LedgerException} only.
 */
public interface Schedules {

    /** The most schedules or proposals in one call. */
    int MAX_BATCH = Ledger.MAX_BATCH;

    /** How long after a node last declared a schedule none declares it, ms; nodes do so each minute. */
    long DECLARED_MILLIS = 180_000;

    /** How soon an instant that waits for the occurrence before it is due again. */
    long AGAIN_MILLIS = 1000;

    /**
     * Reads schedules by name, without those that do not exist.
     *
     * @param names at most {@link #MAX_BATCH}
     */
    CompletableFuture<Found> find(List<String> names);

    /** Reads the schedules whose next instant has come, the earliest first, up to a limit; of their decisions, only the last. */
    default CompletableFuture<Found> due(int limit) {
        return due(0, limit);
    }

    /**
     * Reads the schedules whose next instant has come, the earliest first; of their decisions, only the last.
     *
     * @param skipped how many of them to leave out first
     * @param limit at most this many, up to {@link #MAX_BATCH}
     */
    CompletableFuture<Found> due(int skipped, int limit);

    /**
     * Stores a schedule. Answers its new version; 0 if the version that it replaces is not there, if the next instant of that has come and
     * is to be decided first, or if the new next instant is not after the last that was decided.
     */
    CompletableFuture<Long> put(Put put);

    /** Removes a schedule; its occurrences stay. Answers false if there is none. */
    CompletableFuture<Boolean> remove(String name);

    /** Pauses a schedule, or resumes it: the instants of the pause do not fire. Answers false if there is none. */
    CompletableFuture<Boolean> pause(String name, boolean paused);

    /**
     * Notes that a node declares schedules now, or that none declares them, because they were put otherwise. Names without a schedule are left out.
     *
     * @param names at most {@link #MAX_BATCH}
     */
    CompletableFuture<Boolean> declare(List<String> names, boolean declared);

    /**
     * Decides instants: stores their occurrences as jobs, or skips them.
     *
     * @param proposals at most {@link #MAX_BATCH}; those of one schedule in the order of their instants
     */
    CompletableFuture<Fired> fire(List<Proposal> proposals);

    /**
     * Lists the names of all schedules, some at a time. One that is there all the time is listed at least once.
     *
     * @param after {@link Names#next} of the part before; null for the first
     */
    CompletableFuture<Names> names(@Nullable String after);

    /**
     * Reads schedules as a journal keeps them, without those that do not exist.
     *
     * @param names at most {@link #MAX_BATCH}
     */
    CompletableFuture<List<KeptSchedule>> kept(List<String> names);

    /**
     * Gives schedules what a journal knows of them. Of what is known and what is stored, the later one stays; with the later last instant of both,
     * so that no instant is decided twice. Answers for each whether it was changed; nothing if the permit is not valid, as
     * {@link Ledger#restore} does.
     *
     * @param permit the permit to put back what does not exist; null to change only what exists
     * @param known at most {@link #MAX_BATCH}; one without a definition was removed, and is, unless it was put again since
     */
    CompletableFuture<List<Boolean>> restore(Call call, @Nullable RestorePermit permit, List<KeptSchedule> known);

    /**
     * Some names.
     *
     * @param names the names
     * @param next leads to the next part; null after the last
     */
    record Names(List<String> names, @Nullable String next) {

        /** Copies the names. */
        public Names {
            names = List.copyOf(names);
        }
    }

    /**
     * Schedules that were found.
     *
     * @param nowMillis the ledger's clock, in milliseconds since 1970
     * @param nextMillis the time until the next instant of any schedule of the shard, in milliseconds; null if none is to fire
     * @param schedules the schedules
     */
    record Found(long nowMillis, @Nullable Long nextMillis, List<StoredSchedule> schedules) {

        /** Copies the schedules. */
        public Found {
            schedules = List.copyOf(schedules);
        }
    }

    /**
     * A schedule to be stored.
     *
     * @param name its name
     * @param replaces the version that it replaces; null if there is to be none
     * @param definition the definition
     * @param nextMillis its next instant, in milliseconds since 1970; null if none follows
     * @param lastMillis of a new schedule, the last instant that was decided under its name; null if none was
     * @param paused of a new schedule, whether it is paused; another stays as it is
     */
    record Put(
            String name,
            @Nullable Long replaces,
            String definition,
            @Nullable Long nextMillis,
            @Nullable Long lastMillis,
            boolean paused) {}

    /**
     * A proposal for an instant, or for several that are skipped.
     *
     * @param schedule the schedule
     * @param version the version for which the instants were computed
     * @param instantMillis the instant, in milliseconds since 1970; of several, the last
     * @param nextMillis the instant that follows; null if none does
     * @param outcome what is to become of it
     */
    record Proposal(
            String schedule,
            long version,
            long instantMillis,
            @Nullable Long nextMillis,
            Outcome outcome) {}

    /** The proposed outcome of an instant. */
    sealed interface Outcome {}

    /**
     * Instants are skipped.
     *
     * @param reason why, in capitals
     * @param instants how many
     */
    record Skip(String reason, long instants) implements Outcome {}

    /**
     * An instant fires.
     *
     * @param id the id of the occurrence
     * @param dueMillis when it is due, in milliseconds since 1970
     * @param content its content, without a dedupe key
     * @param overlap what becomes of it if the occurrence before it waits or runs; {@code CANCEL_OTHER} waits as {@code BUFFER_ONE} does, and the
     *     caller cancels that occurrence
     * @param pauseAfter how many occurrences in a row may be dead: then it is skipped, and the schedule paused; 0 for any number
     * @param comeMillis the latest instant that has come, in milliseconds since 1970: if this one waits, all up to that one are held
     */
    record Occurrence(
            String id, long dueMillis, JobContent content, Schedule.Overlap overlap, int pauseAfter, long comeMillis)
            implements Outcome {}

    /** The decision about a proposal. */
    enum Decision {
        /** The occurrence was stored. */
        STORED,
        /** The instants were skipped, as proposed. */
        SKIPPED,
        /** The instant was skipped, because the occurrence before it waits or runs. */
        OVERLAP,
        /** The instant was skipped, because there is a job with the id of its occurrence. */
        EXISTS,
        /** The instant was skipped and the schedule paused, because as many occurrences in a row as may be are dead. */
        DEATHS,
        /** Not decided: the instant waits for the occurrence before it, and is due again after {@link #AGAIN_MILLIS}. */
        WAITS,
        /** No effect: the instant was decided before. */
        DECIDED,
        /** No effect: there is another version. */
        OTHER_VERSION,
        /** No effect: the schedule is paused. */
        PAUSED,
        /** No effect: the instant has not come, or the journal has not compared for long, see {@link Flow.Request}. */
        EARLY,
        /** No effect: there is no such schedule. */
        GONE
    }

    /**
     * The answer to proposals.
     *
     * @param decisions one for each proposal
     * @param nextMillis the time until the next instant of any schedule of the shard, in milliseconds; null if none is to fire
     */
    record Fired(List<Decision> decisions, @Nullable Long nextMillis) {

        /** Copies the decisions. */
        public Fired {
            decisions = List.copyOf(decisions);
        }
    }
}

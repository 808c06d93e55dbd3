package io.delayjob.engine.ledger;

import org.jspecify.annotations.Nullable;

/**
 * A job to be stored.
 *
 * @param id its id
 * @param due when the job is due
 * @param content its content, not stored yet
 * @param journaled that a journal has it; null if none has
 * @param pointer the pointer of its id to the shard that it is stored in; null if that is the id's own
 * @param isElsewhere whether another shard has an unfinished job of the id, so that this one is not stored, and the journal learns of that
 */
public record NewJob(
        String id,
        Due due,
        JobContent content,
        @Nullable Journaled journaled,
        @Nullable Pointer pointer,
        boolean isElsewhere) {

    /** A job that no journal has, in the shard of its id. */
    public NewJob(String id, Due due, JobContent content) {
        this(id, due, content, null, null, false);
    }

    /** The same job, with what shows that a journal has it; null for none. */
    public NewJob with(@Nullable Journaled mark) {
        return new NewJob(id, due, content, mark, pointer, isElsewhere);
    }

    /** The same job, which the pointer points to. */
    public NewJob with(Pointer itsPointer) {
        return new NewJob(id, due, content, journaled, itsPointer, false);
    }

    /** The same job, whose id is that of an unfinished job of another shard. */
    public NewJob elsewhere() {
        return new NewJob(id, due, content, journaled, null, true);
    }

    /** The same job, so many milliseconds after its submit: what is left of its delay. */
    public NewJob after(long millis) {
        Due left = due.fromNow() ? new Due(due.millis() - millis, true) : due;
        return new NewJob(id, left, content, journaled, pointer, isElsewhere);
    }

    /**
     * The permit and tag of a submit of a journaled job. The submit stores nothing if it comes too late, or while no flow log is kept,
     * because the journal would not learn of it.
     *
     * @param permit the term of the shard's {@link Fence} when the journal got the job, or the permit of a relay
     * @param tag tells this submit of an id from others; the flow log has it
     */
    public record Journaled(String permit, long tag) {}

    /**
     * A moment by the ledger's clock.
     *
     * @param millis milliseconds from now, less than 0 if they have passed; or since 1970
     * @param fromNow whether {@code millis} counts from now
     */
    public record Due(long millis, boolean fromNow) {}
}

package io.delayjob.journal.internal.tables;

/** Kinds of loss of a shard. */
public enum Loss {
    /**
     * Redis does not have the entry that was written last: it was emptied, or put back to an older state, or a replica without the
     * last writes has become the master. Unfinished jobs may be missing in it, and finished ones may be back.
     */
    REPLACED,
    /**
     * The history of jobs has a gap: nobody read the flow log for an hour, so it was not kept, or this database was put back to an older
     * state than Redis has trimmed the log to. A later loss of the other kind does not replace it.
     */
    UNLOGGED
}

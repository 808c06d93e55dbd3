package io.delayjob.engine.ledger;

import static io.delayjob.JobState.CANCELLED;
import static io.delayjob.JobState.COMPLETED;
import static io.delayjob.JobState.DEAD;
import static io.delayjob.JobState.DELAYED;
import static io.delayjob.JobState.READY;
import static io.delayjob.JobState.RESERVED;

import io.delayjob.JobState;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The legal changes of state; each is one script of the same name. The change from DELAYED to READY needs no script: both states
 * are the same place, and differ only in whether the due time has come.
 */
public enum Edge {
    /** A job that does not exist yet begins to wait. */
    SUBMIT(Set.of(), EnumSet.of(DELAYED, READY)),
    /**
     * A due job, or one whose lease ran out, is handed to a node. If that node has no handler for it and another live one has, the
     * job is passed on instead: it waits for the other node.
     */
    CLAIM(EnumSet.of(READY, RESERVED), EnumSet.of(RESERVED, DELAYED)),
    /** The attempt succeeded. */
    COMPLETE(EnumSet.of(RESERVED), EnumSet.of(COMPLETED)),
    /** The attempt failed and another one follows. */
    RETRY(EnumSet.of(RESERVED), EnumSet.of(DELAYED, READY)),
    /** The job is given up. */
    BURY(EnumSet.of(RESERVED), EnumSet.of(DEAD)),
    /** The job is given back without spending the attempt. */
    RELEASE(EnumSet.of(RESERVED), EnumSet.of(DELAYED, READY)),
    /** The lease is extended. */
    RENEW(EnumSet.of(RESERVED), EnumSet.of(RESERVED)),
    /** The job is cancelled. */
    CANCEL(EnumSet.of(DELAYED, READY, RESERVED), EnumSet.of(CANCELLED)),
    /** The job gets a new due time. */
    RESCHEDULE(EnumSet.of(DELAYED, READY), EnumSet.of(DELAYED, READY)),
    /** The dead job waits again. */
    REDRIVE(EnumSet.of(DEAD), EnumSet.of(DELAYED, READY)),
    /** A job that does not exist any more is put back as it was. */
    RESTORE(Set.of(), EnumSet.of(DELAYED, READY, DEAD));

    private final Set<JobState> from;
    private final Set<JobState> to;

    Edge(Set<JobState> from, Set<JobState> to) {
        this.from = from;
        this.to = to;
    }

    /** The states it starts from; none for a job that does not exist. */
    public Set<JobState> from() {
        return from;
    }

    /** The states it leads to. */
    public Set<JobState> to() {
        return to;
    }

    /** The name of its script. */
    public String script() {
        return name().toLowerCase(Locale.ROOT);
    }
}

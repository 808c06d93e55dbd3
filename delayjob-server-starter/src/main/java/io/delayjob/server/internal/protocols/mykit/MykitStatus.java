package io.delayjob.server.internal.protocols.mykit;

import io.delayjob.JobState;

/** The states of mykit-delay. The number of each, which its tables hold, is its place here. */
enum MykitStatus {
    /** Not put in. */
    WaitPut,
    /** Waits for its time. */
    Delay,
    /** Waits to be consumed. */
    Ready,
    /** Consumed. */
    Finish,
    /** Deleted. */
    Delete,
    /** Put back by hand. */
    Restore,
    /** Given up. */
    ConsumerFailRestore;

    static MykitStatus of(JobState state) {
        return switch (state) {
            case DELAYED -> Delay;
            case READY, RESERVED -> Ready;
            case COMPLETED -> Finish;
            case CANCELLED -> Delete;
            case DEAD -> ConsumerFailRestore;
        };
    }

    int number() {
        return ordinal();
    }

    @Override
    public String toString() {
        return name() + " (" + number() + ")";
    }
}

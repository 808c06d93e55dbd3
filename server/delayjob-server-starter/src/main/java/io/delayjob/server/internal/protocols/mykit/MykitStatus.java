package io.delayjob.server.internal.protocols.mykit;

import io.delayjob.JobState;

/** The states of mykit-delay, each with the number that its tables hold. */
enum MykitStatus {
    /** Not put in. */
    WaitPut(0),
    /** Waits for its time. */
    Delay(1),
    /** Waits to be consumed. */
    Ready(2),
    /** Consumed. */
    Finish(3),
    /** Deleted. */
    Delete(4),
    /** Put back by hand. */
    Restore(5),
    /** Given up. */
    ConsumerFailRestore(6);

    private final int number;

    MykitStatus(int number) {
        this.number = number;
    }

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
        return number;
    }

    @Override
    public String toString() {
        return name() + " (" + number() + ")";
    }
}

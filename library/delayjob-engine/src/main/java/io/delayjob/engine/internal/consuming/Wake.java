package io.delayjob.engine.internal.consuming;

/** Wakes the claimer of a shard when jobs are due. Thread-safe. */
public interface Wake {

    /** The doorbell rang: a job is due. False if nobody is here to take it, so that another node has to hear of it. */
    boolean ring();

    /** A job is to be claimed no later than {@code nanos}, a {@link System#nanoTime}. */
    void alarmBy(long nanos);

    /** Runs a task once, after the next claim. */
    void onceClaimed(Runnable then);
}

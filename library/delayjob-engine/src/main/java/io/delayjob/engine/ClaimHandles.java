package io.delayjob.engine;

import io.delayjob.engine.internal.claiming.ClaimHandle;

/** Reads the handles of claimed jobs, for servers of workers. The workers themselves know the queue from the claimed job. */
public final class ClaimHandles {

    private ClaimHandles() {}

    /**
     * The queue that a handle belongs to.
     *
     * @param handle the handle of an attempt
     * @throws IllegalArgumentException if it was not made by delayjob; the message names it
     */
    public static String queueOf(String handle) {
        return ClaimHandle.parse(handle).shard().queue();
    }
}

package io.delayjob.server.console.internal.look;

import java.util.List;

/** Finds what needs attention beyond the queues themselves. It is asked once a second and answers at once, from what it knows. */
public interface MoreConcerns {

    /**
     * The alerts of this moment.
     *
     * @param queues the queues that were looked at
     */
    List<Concern> now(List<QueueLook> queues);
}

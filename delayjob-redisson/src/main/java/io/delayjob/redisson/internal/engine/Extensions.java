package io.delayjob.redisson.internal.engine;

import io.delayjob.spi.JobInterceptor;
import java.util.List;

/**
 * What an application adds to the engine.
 *
 * @param interceptors surround submits and attempts, the first one outermost
 * @param events hear of every step
 * @param transactions what submits may wait for
 */
public record Extensions(List<JobInterceptor> interceptors, JobEvents events, Transactions transactions) {

    /** Nothing. */
    public static final Extensions NONE =
            new Extensions(List.of(), JobEvents.onCallersThread(List.of()), Transactions.NONE);

    /** Copies the list. */
    public Extensions {
        interceptors = List.copyOf(interceptors);
    }
}

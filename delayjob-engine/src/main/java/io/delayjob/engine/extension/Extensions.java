package io.delayjob.engine.extension;

import io.delayjob.engine.telemetry.Telemetry;
import io.delayjob.spi.JobInterceptor;
import java.util.List;
import java.util.function.Supplier;

/**
 * What an application adds to the engine.
 *
 * @param interceptors surround submits and attempts, the first one outermost; asked at each, because they may need what delayjob
 *     offers
 * @param events hear of every step
 * @param transactions what submits may wait for
 * @param telemetry measures what happens
 */
public record Extensions(
        Supplier<List<JobInterceptor>> interceptors, JobEvents events, Transactions transactions, Telemetry telemetry) {

    /** Nothing. */
    public static final Extensions NONE =
            new Extensions(List::of, JobEvents.onCallersThread(List.of()), Transactions.NONE, Telemetry.NONE);
}

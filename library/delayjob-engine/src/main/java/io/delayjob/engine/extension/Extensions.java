package io.delayjob.engine.extension;

import io.delayjob.engine.telemetry.Telemetry;
import io.delayjob.spi.JobInterceptor;
import java.util.List;
import java.util.function.Supplier;

/**
 * The extensions that an application adds to the engine.
 *
 * @param interceptors the interceptors of submits and attempts, the first one outermost; supplied at each use, because they may
 *     themselves depend on delayjob's beans
 * @param events the delivery of events to the application's listeners
 * @param transactions the transactions that submits can wait for
 * @param telemetry the measurements of this node
 * @param journal the database in which jobs are written before the ledger has them
 */
public record Extensions(
        Supplier<List<JobInterceptor>> interceptors,
        JobEvents events,
        Transactions transactions,
        Telemetry telemetry,
        Journal journal) {

    /** No extensions. */
    public static final Extensions NONE =
            new Extensions(List::of, JobEvents.onCallersThread(List.of()), Transactions.NONE, Telemetry.NONE);

    /** Extensions without a journal. */
    public Extensions(
            Supplier<List<JobInterceptor>> interceptors,
            JobEvents events,
            Transactions transactions,
            Telemetry telemetry) {
        this(interceptors, events, transactions, telemetry, Journal.NONE);
    }
}

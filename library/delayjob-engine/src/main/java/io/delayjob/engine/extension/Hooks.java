package io.delayjob.engine.extension;

import io.delayjob.engine.telemetry.QueueTelemetries;
import java.util.function.Predicate;

/**
 * The application's extensions in the form that the engine uses.
 *
 * @param interceptors the interceptors, which surround submits and attempts
 * @param events the delivery of events to the application's listeners
 * @param transactions the transactions that submits can wait for
 * @param telemetries the measurements, by queue
 * @param journal the database in which jobs are written before the ledger has them
 */
public record Hooks(
        Interceptors interceptors,
        JobEvents events,
        Transactions transactions,
        QueueTelemetries telemetries,
        Journal journal) {

    /**
     * The hooks for the given extensions.
     *
     * @param known whether a queue is measured by its own name
     */
    public static Hooks of(Extensions extensions, Predicate<String> known) {
        return new Hooks(
                new Interceptors(extensions.interceptors()),
                extensions.events(),
                extensions.transactions(),
                new QueueTelemetries(extensions.telemetry(), known),
                extensions.journal());
    }
}

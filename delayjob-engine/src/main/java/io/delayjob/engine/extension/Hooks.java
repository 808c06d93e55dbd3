package io.delayjob.engine.extension;

import io.delayjob.engine.telemetry.QueueTelemetries;
import java.util.function.Predicate;

/**
 * What an application added to the engine, as the engine uses it.
 *
 * @param interceptors surround submits and attempts
 * @param events hear of every step
 * @param transactions what submits may wait for
 * @param telemetries measure what happens, by queue
 */
public record Hooks(
        Interceptors interceptors, JobEvents events, Transactions transactions, QueueTelemetries telemetries) {

    /**
     * Of extensions.
     *
     * @param known whether a queue is measured by its own name
     */
    public static Hooks of(Extensions extensions, Predicate<String> known) {
        return new Hooks(
                new Interceptors(extensions.interceptors()),
                extensions.events(),
                extensions.transactions(),
                new QueueTelemetries(extensions.telemetry(), known));
    }
}

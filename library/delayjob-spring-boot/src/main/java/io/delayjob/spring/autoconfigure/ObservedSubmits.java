package io.delayjob.spring.autoconfigure;

import io.delayjob.DelayJobProducer;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.spring.internal.observation.ObservedProducer;
import io.delayjob.spring.observation.JobSubmitConvention;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Puts observations in front of the engine's producer.
 *
 * @param registry of the application
 * @param convention the application's, or null
 */
public record ObservedSubmits(
        ObservationRegistry registry, @Nullable JobSubmitConvention convention) {

    /**
     * The producer of an engine.
     *
     * @param engine the engine
     * @param observed the bean of an application that observes its submits
     * @return the engine's own producer in other applications
     */
    public static DelayJobProducer producer(DelayJobEngine engine, ObjectProvider<ObservedSubmits> observed) {
        ObservedSubmits submits = observed.getIfAvailable();
        return submits == null ? engine.producer() : submits.of(engine);
    }

    private DelayJobProducer of(DelayJobEngine engine) {
        return new ObservedProducer(engine.producer(), engine::queueTag, registry, convention);
    }
}

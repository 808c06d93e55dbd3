package io.delayjob.spring.autoconfigure;

import io.delayjob.DelayJobProducer;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.spring.internal.observation.ObservedProducer;
import io.delayjob.spring.observation.JobSubmitConvention;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Puts observations in front of the engine's producer.
 *
 * @param registry of the application
 * @param convention the application's, or null
 */
record ObservedSubmits(
        ObservationRegistry registry, @Nullable JobSubmitConvention convention) {

    DelayJobProducer of(DelayJobEngine engine) {
        return new ObservedProducer(engine.producer(), engine::queueTag, registry, convention);
    }
}

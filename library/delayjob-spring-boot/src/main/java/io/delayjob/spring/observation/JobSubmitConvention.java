package io.delayjob.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and tags the observations of submits. A bean of this type takes the place of {@link DefaultJobSubmitConvention}, which it
 * may extend.
 */
public interface JobSubmitConvention extends ObservationConvention<JobSubmitContext> {

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof JobSubmitContext;
    }
}

package io.delayjob.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and tags the observations of attempts. A bean of this type takes the place of {@link DefaultJobExecutionConvention}, which
 * it may extend.
 */
public interface JobExecutionConvention extends ObservationConvention<JobExecutionContext> {

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof JobExecutionContext;
    }
}

package io.delayjob.spring.internal.observation;

import io.delayjob.JobExecution;
import io.delayjob.spi.JobInterceptor;
import io.delayjob.spring.observation.DefaultJobExecutionConvention;
import io.delayjob.spring.observation.DelayJobObservation;
import io.delayjob.spring.observation.JobExecutionContext;
import io.delayjob.spring.observation.JobExecutionConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/** Observes attempts. */
public final class ObservedExecutions implements JobInterceptor {

    private static final JobExecutionConvention DEFAULT = new DefaultJobExecutionConvention();

    private final ObservationRegistry registry;
    private final @Nullable JobExecutionConvention convention;

    /**
     * Of an application.
     *
     * @param convention null for the default one
     */
    public ObservedExecutions(ObservationRegistry registry, @Nullable JobExecutionConvention convention) {
        this.registry = registry;
        this.convention = convention;
    }

    @Override
    public void execute(JobExecution<?> execution, Attempt attempt) throws Exception {
        Observation observation = DelayJobObservation.EXECUTION.observation(
                convention, DEFAULT, () -> new JobExecutionContext(execution), registry);
        observation.observeChecked(attempt::proceed);
    }
}

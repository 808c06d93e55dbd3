package io.delayjob.spring.observation;

import io.delayjob.JobExecution;
import io.delayjob.spring.observation.DelayJobObservation.ObservationKey;
import io.micrometer.common.KeyValues;

/**
 * Observations of attempts as OpenTelemetry has it for messaging: {@code delayjob.process}, with the keys of
 * {@link DelayJobObservation}.
 */
public class DefaultJobExecutionConvention implements JobExecutionConvention {

    /** The default. */
    public DefaultJobExecutionConvention() {}

    @Override
    public String getName() {
        return "delayjob.process";
    }

    @Override
    public String getContextualName(JobExecutionContext context) {
        return "execute " + context.execution().queue();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(JobExecutionContext context) {
        JobExecution<?> execution = context.execution();
        return KeyValues.of(
                ObservationKey.SYSTEM.withValue("delayjob"),
                ObservationKey.OPERATION_TYPE.withValue("process"),
                ObservationKey.OPERATION_NAME.withValue("execute"),
                ObservationKey.QUEUE.withValue(execution.queue()),
                ObservationKey.JOB.withValue(execution.job()));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(JobExecutionContext context) {
        JobExecution<?> execution = context.execution();
        return KeyValues.of(
                ObservationKey.ID.withValue(execution.id()),
                ObservationKey.ATTEMPT.withValue(Integer.toString(execution.attempt())));
    }
}

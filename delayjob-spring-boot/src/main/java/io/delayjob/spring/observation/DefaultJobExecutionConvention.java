package io.delayjob.spring.observation;

import io.delayjob.JobExecution;
import io.delayjob.spring.observation.DelayJobObservation.CommonKey;
import io.delayjob.spring.observation.DelayJobObservation.ExecutionDetail;
import io.delayjob.spring.observation.DelayJobObservation.ExecutionKey;
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
                CommonKey.SYSTEM.withValue("delayjob"),
                CommonKey.OPERATION_TYPE.withValue("process"),
                CommonKey.OPERATION_NAME.withValue("execute"),
                CommonKey.QUEUE.withValue(execution.queue()),
                ExecutionKey.JOB.withValue(execution.job()));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(JobExecutionContext context) {
        JobExecution<?> execution = context.execution();
        return KeyValues.of(
                ExecutionDetail.ID.withValue(execution.id()),
                ExecutionDetail.ATTEMPT.withValue(Integer.toString(execution.attempt())));
    }
}

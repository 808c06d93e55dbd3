package io.delayjob.spring.observation;

import io.delayjob.JobExecution;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import java.util.Map;

/** An attempt that is observed, from before the application's interceptors until after them. Its carrier are the job's headers. */
public final class JobExecutionContext extends ReceiverContext<Map<String, String>> {

    private final JobExecution<?> execution;

    /**
     * Of an attempt that begins.
     *
     * @param execution the attempt
     */
    public JobExecutionContext(JobExecution<?> execution) {
        super((carrier, name) -> carrier.get(name), Kind.CONSUMER);
        this.execution = execution;
        setCarrier(execution.headers());
    }

    /** {@return the attempt as the job sees it} */
    public JobExecution<?> execution() {
        return execution;
    }
}

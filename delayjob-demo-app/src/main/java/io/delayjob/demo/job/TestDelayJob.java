package io.delayjob.demo.job;

import io.delayjob.DelayJob;
import io.delayjob.JobExecution;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** The demo's job: logs its param, and takes time or fails if asked to. Safe to repeat. */
@Component
public class TestDelayJob implements DelayJob<ParamDTO> {

    private static final Logger log = LoggerFactory.getLogger(TestDelayJob.class);

    private final ExecutionLog executions;

    /**
     * A job that notes its attempts.
     *
     * @param executions where
     */
    public TestDelayJob(ExecutionLog executions) {
        this.executions = executions;
    }

    @Override
    public void execute(JobExecution<ParamDTO> execution) throws Exception {
        Attempt attempt = Attempt.begunNow(execution);
        long number = executions.begin(attempt);
        log.info(
                "job {} started: attempt {}, {} ms after it was due, {}",
                attempt.id(),
                attempt.attempt(),
                attempt.latenessMillis(),
                execution.param());
        Outcome outcome = Outcome.FAILED;
        try {
            behave(attempt, Behaviour.of(execution.headers()));
            outcome = Outcome.COMPLETED;
        } catch (InterruptedException e) {
            outcome = Outcome.INTERRUPTED;
            throw e;
        } finally {
            executions.end(number, outcome);
            log.info("job {} {}: attempt {}", attempt.id(), outcome.name().toLowerCase(Locale.ROOT), attempt.attempt());
        }
    }

    private static void behave(Attempt attempt, Behaviour behaviour) throws Exception {
        Thread.sleep(behaviour.sleepMillis());
        if (attempt.attempt() <= behaviour.fail()) {
            throw new SimulatedFailureException(attempt.attempt(), behaviour.fail());
        }
    }
}

package io.delayjob.client.beans;

import io.delayjob.Acknowledgment;
import io.delayjob.JobSettlement;
import io.delayjob.client.WorkerJob;
import io.delayjob.support.Checks;
import java.time.Duration;

/** Lets a listener settle an attempt that this process has claimed. */
record WorkedAcknowledgment(WorkerJob work, WorkedExecution execution) implements Acknowledgment {

    @Override
    public void acknowledge() {
        work.settle(new JobSettlement.Complete(handle(), execution.result()));
    }

    @Override
    public void retry(Duration wait) {
        work.settle(
                new JobSettlement.Retry(handle(), Checks.notNegative(wait, "wait"), "its listener asked for a retry"));
    }

    @Override
    public void reject(String reason) {
        if (Checks.notNull(reason, "reason").isBlank()) {
            throw new IllegalArgumentException("reason must not be blank: '" + reason + "'");
        }
        work.settle(new JobSettlement.Bury(handle(), "its listener rejected it: " + reason));
    }

    private String handle() {
        return work.claimed().handle();
    }
}

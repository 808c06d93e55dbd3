package io.delayjob.redisson.autoconfigure;

import io.delayjob.DelayJob;
import io.delayjob.JobExecution;

/** Keeps its params; what type they have is stated by subclasses. */
abstract class KeepingJob<T> implements DelayJob<T> {

    private final Inbox inbox;

    KeepingJob(Inbox inbox) {
        this.inbox = inbox;
    }

    @Override
    public void execute(JobExecution<T> execution) {
        inbox.add(execution.param());
    }
}

package io.delayjob.benchmarks.contender.delayjob;

import io.delayjob.DelayJob;
import io.delayjob.JobExecution;
import io.delayjob.benchmarks.contender.Work;

/** The bean that runs the jobs. */
final class CloseOrderJob implements DelayJob<CloseOrder> {

    private final Work work;

    CloseOrderJob(Work work) {
        this.work = work;
    }

    @Override
    public void execute(JobExecution<CloseOrder> execution) throws Exception {
        CloseOrder order = execution.param();
        work.run(execution.id(), order.dueMillis(), execution.attempt());
    }
}

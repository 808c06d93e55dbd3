package io.delayjob.benchmarks.contender.delayjob;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobSchedules;
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
        // An occurrence counts by the name of its schedule.
        String id = execution.headers().getOrDefault(DelayJobSchedules.SCHEDULE_HEADER, execution.id());
        work.run(id, order.dueMillis(), execution.attempt());
    }
}

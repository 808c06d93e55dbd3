package io.delayjob.redisson.migration;

import io.delayjob.DelayJob;
import io.delayjob.JobExecution;
import io.delayjob.redisson.migration.OldComponent.DeplayJobDTO;
import java.util.Collection;

class TestDelayJob implements OldComponent.DelayJob<ParamDTO>, DelayJob<ParamDTO> {

    private final Collection<String> greeted;

    TestDelayJob(Collection<String> greeted) {
        this.greeted = greeted;
    }

    /** As before; removed with the old component. */
    @Override
    public void execute(DeplayJobDTO<ParamDTO> job) {
        greet(job.getParam());
    }

    @Override
    public void execute(JobExecution<ParamDTO> execution) {
        greet(execution.param());
    }

    private void greet(ParamDTO param) {
        greeted.add(param.getName() + " " + param.getAge());
    }
}

package io.delayjob.reliability.node;

import io.delayjob.DelayJob;
import io.delayjob.JobExecution;
import io.delayjob.NonRetryableException;
import java.util.Objects;

/** Takes its time, fails as often as it is told, and writes each step down. */
public final class WorkJob implements DelayJob<Work> {

    private final Journal journal;
    private final Trap trap;

    WorkJob(Journal journal, Trap trap) {
        this.journal = journal;
        this.trap = trap;
    }

    @Override
    public void execute(JobExecution<Work> execution) throws InterruptedException {
        journal.write(
                Journal.Kind.BEGUN,
                execution.id(),
                execution.attempt(),
                execution.dueAt().toEpochMilli());
        trap.pass(Trap.Point.BEGUN, execution);
        Work work = Objects.requireNonNull(execution.param());
        Thread.sleep(work.millis());
        if (work.failures() < 0) {
            journal.write(Journal.Kind.FAILED, execution.id(), execution.attempt(), 0);
            throw new NonRetryableException("told to give up");
        }
        if (execution.attempt() <= work.failures()) {
            journal.write(Journal.Kind.FAILED, execution.id(), execution.attempt(), 0);
            throw new IllegalStateException("told to fail");
        }
        journal.write(Journal.Kind.ENDED, execution.id(), execution.attempt(), 0);
    }
}

package io.delayjob.reliability.node;

import io.delayjob.DelayJob;
import io.delayjob.JobExecution;

/** Takes its time and does not care for interrupts. */
public final class StubbornJob implements DelayJob<Work> {

    private final Journal journal;

    StubbornJob(Journal journal) {
        this.journal = journal;
    }

    @Override
    public void execute(JobExecution<Work> execution) {
        journal.write(
                Journal.Kind.BEGUN,
                execution.id(),
                execution.attempt(),
                execution.dueAt().toEpochMilli());
        long end = System.nanoTime() + execution.param().millis() * 1_000_000;
        while (System.nanoTime() - end < 0) {
            rest();
        }
        journal.write(Journal.Kind.ENDED, execution.id(), execution.attempt(), 0);
    }

    private static void rest() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            // That is what it is for.
        }
    }
}

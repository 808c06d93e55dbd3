package io.delayjob.reliability.node;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.NonRetryableException;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;

/** Takes its time, fails as often as it is told, and writes each step down. */
public final class WorkJob implements DelayJob<Work> {

    private final Journal journal;
    private final Trap trap;
    private final ObjectProvider<DelayJobProducer> producer;

    WorkJob(Journal journal, Trap trap, ObjectProvider<DelayJobProducer> producer) {
        this.journal = journal;
        this.producer = producer;
        this.trap = trap;
    }

    @Override
    public void execute(JobExecution<Work> execution) throws InterruptedException {
        journal.write(
                Journal.Kind.BEGUN,
                execution.id(),
                execution.attempt(),
                execution.dueAt().toEpochMilli());
        trap.pass(Trap.Point.BEGUN, execution.id(), execution.attempt());
        Work work = execution.param();
        Thread.sleep(work.millis());
        if (work.failures() < 0) {
            journal.write(Journal.Kind.FAILED, execution.id(), execution.attempt(), 0);
            throw new NonRetryableException("told to give up");
        }
        if (execution.attempt() <= work.failures()) {
            journal.write(Journal.Kind.FAILED, execution.id(), execution.attempt(), 0);
            throw new IllegalStateException("told to fail");
        }
        if (work.followUpMillis() > 0) {
            submitFollowUp(execution.id() + "-next", work.followUpMillis());
        }
        journal.write(Journal.Kind.ENDED, execution.id(), execution.attempt(), 0);
    }

    private void submitFollowUp(String id, long delayMillis) {
        long before = System.currentTimeMillis();
        producer.getObject()
                .submitDelayJob(
                        DelayJobRequest.of(WorkJob.class, new Work(0, 0)).withId(id), Duration.ofMillis(delayMillis));
        journal.write(Journal.Kind.SUBMITTED, id, 0, before + delayMillis);
    }
}

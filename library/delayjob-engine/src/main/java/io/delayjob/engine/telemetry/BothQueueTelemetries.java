package io.delayjob.engine.telemetry;

import io.delayjob.JobSubmissionException;
import io.delayjob.SubmitResult;
import io.delayjob.engine.ledger.ShardId;

/** Measures a queue with both. */
record BothQueueTelemetries(QueueTelemetry one, QueueTelemetry other) implements QueueTelemetry {

    @Override
    public void submitted(SubmitResult.Outcome outcome, long nanos) {
        one.submitted(outcome, nanos);
        other.submitted(outcome, nanos);
    }

    @Override
    public void unconfirmed(JobSubmissionException.Outcome outcome, long nanos) {
        one.unconfirmed(outcome, nanos);
        other.unconfirmed(outcome, nanos);
    }

    @Override
    public void claimed(int jobs, long nanos) {
        one.claimed(jobs, nanos);
        other.claimed(jobs, nanos);
    }

    @Override
    public void expired() {
        one.expired();
        other.expired();
    }

    @Override
    public void began(long lateNanos) {
        one.began(lateNanos);
        other.began(lateNanos);
    }

    @Override
    public void ended(String job, Outcome outcome, long nanos) {
        one.ended(job, outcome, nanos);
        other.ended(job, outcome, nanos);
    }

    @Override
    public void completed(String job) {
        one.completed(job);
        other.completed(job);
    }

    @Override
    public void retried(String job) {
        one.retried(job);
        other.retried(job);
    }

    @Override
    public void buried(String job) {
        one.buried(job);
        other.buried(job);
    }

    @Override
    public void lost(String job) {
        one.lost(job);
        other.lost(job);
    }

    @Override
    public void stale(String job) {
        one.stale(job);
        other.stale(job);
    }

    @Override
    public void lateDoorbell() {
        one.lateDoorbell();
        other.lateDoorbell();
    }

    @Override
    public void fired(long lateMillis) {
        one.fired(lateMillis);
        other.fired(lateMillis);
    }

    @Override
    public void skipped(String reason, long instants) {
        one.skipped(reason, instants);
        other.skipped(reason, instants);
    }

    @Override
    public void replaced(ShardId shard) {
        one.replaced(shard);
        other.replaced(shard);
    }
}

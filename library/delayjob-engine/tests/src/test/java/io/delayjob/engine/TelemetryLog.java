package io.delayjob.engine;

import io.delayjob.JobSubmissionException;
import io.delayjob.SubmitResult;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.JobEvents;
import io.delayjob.engine.extension.Transactions;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.telemetry.QueueTelemetry;
import io.delayjob.engine.telemetry.Telemetry;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Records what nodes measure: events as lines of the queue, the event and its details, and times as numbers. */
public final class TelemetryLog implements Telemetry {

    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Queue<Long> latenessNanos = new ConcurrentLinkedQueue<>();
    private final Queue<Long> executionNanos = new ConcurrentLinkedQueue<>();

    public Extensions extensions() {
        return new Extensions(List::of, JobEvents.onCallersThread(List.of()), Transactions.NONE, this);
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }

    public List<Long> latenessNanos() {
        return List.copyOf(latenessNanos);
    }

    public List<Long> executionNanos() {
        return List.copyOf(executionNanos);
    }

    @Override
    public QueueTelemetry queue(String queue) {
        return new OfQueue(queue);
    }

    private final class OfQueue implements QueueTelemetry {

        private final String queue;

        private OfQueue(String queue) {
            this.queue = queue;
        }

        private void add(String what) {
            lines.add(queue + " " + what);
        }

        @Override
        public void submitted(SubmitResult.Outcome outcome, long nanos) {
            add("submitted " + outcome);
        }

        @Override
        public void unconfirmed(JobSubmissionException.Outcome outcome, long nanos) {
            add("unconfirmed " + outcome);
        }

        @Override
        public void claimed(int jobs, long nanos) {
            add("claimed " + jobs);
        }

        @Override
        public void expired() {
            add("expired");
        }

        @Override
        public void began(long lateNanos) {
            latenessNanos.add(lateNanos);
        }

        @Override
        public void ended(String job, Outcome outcome, long nanos) {
            executionNanos.add(nanos);
            add("ended " + job + " " + outcome);
        }

        @Override
        public void completed(String job) {
            add("completed " + job);
        }

        @Override
        public void retried(String job) {
            add("retried " + job);
        }

        @Override
        public void buried(String job) {
            add("buried " + job);
        }

        @Override
        public void lost(String job) {
            add("lost " + job);
        }

        @Override
        public void stale(String job) {
            add("stale " + job);
        }

        @Override
        public void lateDoorbell() {
            add("late doorbell");
        }

        @Override
        public void replaced(ShardId shard) {
            add("replaced " + shard);
        }
    }
}

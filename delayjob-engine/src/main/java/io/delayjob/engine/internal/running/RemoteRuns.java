package io.delayjob.engine.internal.running;

import io.delayjob.JobEvent;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.records.JobRecord;
import io.delayjob.engine.internal.records.RecordCodec;
import io.delayjob.engine.internal.records.UnreadableRecordException;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.engine.settings.QueueSettings;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Admits jobs of one shard that were claimed for workers elsewhere, and settles those that are not handed to them. Thread-safe. */
public final class RemoteRuns {

    private static final Logger log = LoggerFactory.getLogger(RemoteRuns.class);

    private final Shard shard;
    private final QueueSettings queue;
    private final Node node;
    private final Admission admission;
    private final Endings endings;
    private final JobsWithoutHandler jobsWithoutHandler;

    public RemoteRuns(Shard shard, QueueSettings queue, Node node) {
        this.shard = shard;
        this.queue = queue;
        this.node = node;
        this.admission = new Admission(queue);
        this.endings = new Endings(shard);
        this.jobsWithoutHandler =
                new JobsWithoutHandler(shard.id(), node.settings().consuming().noHandlerTimeout(), endings);
    }

    /** The record of a job that may be handed out; empty for a job that must not be, which is then settled. */
    public Optional<JobRecord> admit(Claimed.Job job, long askedNanos) {
        Run run = run(job, askedNanos);
        if (job.expired()) {
            node.hooks().telemetries().of(shard.id().queue()).expired();
        }
        JobRecord record;
        try {
            record = admission.read(job);
        } catch (UnreadableRecordException e) {
            settle(run, e.newer() ? jobsWithoutHandler.newer(run, e.reason()) : endings.bury(run, e.reason(), null));
            return Optional.empty();
        }
        run.record(record);
        String refusal = admission.refusal(job, admission.policy(record, AttemptPolicy.NONE));
        if (refusal != null) {
            settle(run, endings.refuse(run, refusal));
            return Optional.empty();
        }
        publishClaimed(run);
        return Optional.of(record);
    }

    /** Gives a job back that nobody took. */
    public void release(Claimed.Job job, String why) {
        settle(run(job, System.nanoTime()), endings.release(run(job, System.nanoTime()), why));
    }

    private Run run(Claimed.Job job, long askedNanos) {
        return new Run(job, queue.lease().toMillis(), askedNanos);
    }

    private void settle(Run run, Ending ending) {
        if (ending instanceof Ending.Settle settle) {
            shard.settle(settle.settlement()).whenComplete((held, failure) -> {
                if (failure != null) {
                    log.warn(
                            "job {} in {} was claimed and could not be settled; it is handed out again when its lease ends: {}",
                            run.lease().id(),
                            shard.id(),
                            failure.getMessage());
                } else if (held) {
                    settle.announcement().accept(node.hooks().events());
                }
            });
        }
    }

    private void publishClaimed(Run run) {
        node.hooks().events().publish(JobEvent.Claimed.class, () -> run.claimed(shard.id().queue()));
    }

    /** How a job is tried: by its request, else by its queue; empty if its record cannot be read. */
    public Optional<AttemptPolicy> policy(String record) {
        try {
            return Optional.of(admission.policy(new RecordCodec().read(record), AttemptPolicy.NONE));
        } catch (UnreadableRecordException e) {
            return Optional.empty();
        }
    }
}

package io.delayjob.engine.internal.running;

import io.delayjob.engine.internal.records.JobRecord;
import io.delayjob.engine.internal.records.RecordCodec;
import io.delayjob.engine.internal.records.UnreadableRecordException;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.settings.AttemptPolicy;
import io.delayjob.engine.settings.QueueSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whether a claimed job is run: its record must be readable, it must have attempts left, its time to live must not have
 * passed before it first began, and not too many of its attempts in a row may have ended with an expired lease.
 */
final class Admission {

    private static final Logger log = LoggerFactory.getLogger(Admission.class);

    private final RecordCodec records = new RecordCodec();
    private final QueueSettings queue;

    Admission(QueueSettings queue) {
        this.queue = queue;
    }

    /**
     * Reads the job's record.
     *
     * @throws UnreadableRecordException if the record is missing, damaged, or of a newer format
     */
    JobRecord read(Claimed.Job job) {
        return records.read(job.record());
    }

    /** Logs that the attempt before this one never ended, if that is why the job was handed out. */
    void logExpired(ShardId shard, Claimed.Job job, String name) {
        if (job.expired()) {
            log.warn(
                    "attempt {} of job {} ({}) in {} never ended: its lease ran out",
                    job.attempt().number() - 1,
                    job.lease().id(),
                    name,
                    shard);
        }
    }

    /** How the job is tried: by its request, else by its handler, else by its queue. */
    AttemptPolicy policy(JobRecord record, AttemptPolicy handlers) {
        return record.attempts().over(handlers).over(queue.attempts());
    }

    /**
     * Why the job must not be run; null if it may.
     *
     * @param policy how the job is tried; null if this node has no handler for the job, so that its policy is unknown
     */
    @Nullable String refusal(Claimed.Job job, @Nullable AttemptPolicy policy) {
        String refusal = policy == null ? null : refusal(policy, job);
        return refusal == null && job.lost() >= queue.quarantineAfter() ? quarantined(job) : refusal;
    }

    private static @Nullable String refusal(AttemptPolicy policy, Claimed.Job job) {
        if (job.attempt().number() > policy.attempts()) {
            String last = "attempt " + (job.attempt().number() - 1) + " of " + policy.attempts();
            return job.lost() == 0
                    ? last + " was made by a node that allows more attempts"
                    : last + " never ended: its node died or lost the lease, or nobody acknowledged it";
        }
        Duration timeToLive = policy.timeToLive();
        long late = job.nowMillis() - job.dueMillis();
        if (timeToLive != null && job.attempt().number() == 1 && !job.begun() && late > timeToLive.toMillis()) {
            return "did not begin within its time to live of " + timeToLive + ": " + late + " ms after its due time";
        }
        return null;
    }

    private static String quarantined(Claimed.Job job) {
        return "quarantined: " + job.lost() + " attempts in a row never ended: their nodes died or lost the lease,"
                + " or nobody acknowledged them";
    }
}

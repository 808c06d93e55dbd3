package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.telemetry.QueueTelemetry;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notices when the doorbell of a shard rings late or not at all, because then the alarm of a taker finds the job. */
public final class DoorbellWatch {

    private static final Logger log = LoggerFactory.getLogger(DoorbellWatch.class);

    /** Longer than the alarms of a small fleet with a working doorbell are late. */
    private static final long LATE_MILLIS = 500;

    private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

    private final ShardId shard;
    private final QueueTelemetry telemetry;
    private long late;
    private long loggedNanos = System.nanoTime() - QUIET_NANOS;

    DoorbellWatch(ShardId shard, QueueTelemetry telemetry) {
        this.shard = shard;
        this.telemetry = telemetry;
    }

    /** Checks a claim that the alarm led to, while this node had a free worker all the time. */
    void alarmFound(Claimed claimed) {
        if (claimed.mode() != Claimed.Mode.QUIET || claimed.jobs().isEmpty()) {
            return;
        }
        Claimed.Job first = claimed.jobs().get(0);
        long lateness = first.nowMillis() - first.dueMillis();
        // A job that nodes could not run is offered again long after its due time.
        if (lateness > LATE_MILLIS
                && first.attempt().number() == 1
                && first.attempt().noHandlerSinceMillis() == null) {
            late++;
            telemetry.lateDoorbell();
            log(lateness);
        }
    }

    private void log(long lateness) {
        long now = System.nanoTime();
        if (now - loggedNanos >= QUIET_NANOS) {
            loggedNanos = now;
            log.warn(
                    "the doorbell of {} did not ring ({} times so far); the alarm found a job {} ms after its due time."
                            + " Jobs that Redis has are late by up to 5 s until it rings: look for a lost Redis subscription",
                    shard,
                    late,
                    lateness);
        }
    }
}

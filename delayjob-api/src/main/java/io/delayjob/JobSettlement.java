package io.delayjob;

import io.delayjob.support.Checks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What has become of an attempt at a claimed job, or what its worker needs; see {@link DelayJobClaims#settle}. */
public sealed interface JobSettlement {

    /** The handle of the attempt; see {@link ClaimedJob#handle}. */
    String handle();

    /**
     * The attempt succeeded: the job is {@link JobState#COMPLETED}.
     *
     * @param handle the handle of the attempt
     * @param result the result as JSON, kept if the queue retains finished jobs; null for none
     */
    record Complete(String handle, @Nullable String result) implements JobSettlement {

        /** Checks the values. */
        public Complete {
            Checks.notNull(handle, "handle");
        }
    }

    /**
     * The attempt failed. Another one follows; if it was the last that the job may have, the job is {@link JobState#DEAD}.
     *
     * @param handle the handle of the attempt
     * @param delay the wait before the next attempt; null for the job's or its queue's backoff
     * @param error why it failed; stored with the job, cut to 8192 characters
     */
    record Retry(String handle, @Nullable Duration delay, String error) implements JobSettlement {

        /** Checks the values. */
        public Retry {
            Checks.notNull(handle, "handle");
            Checks.ifGiven(delay, Checks::delay);
            Checks.notNull(error, "error");
        }
    }

    /**
     * The job is given up: it is {@link JobState#DEAD}, whatever attempts it has left.
     *
     * @param handle the handle of the attempt
     * @param reason why; stored with the job, cut to 8192 characters
     */
    record Bury(String handle, String reason) implements JobSettlement {

        /** Checks the values. */
        public Bury {
            Checks.notNull(handle, "handle");
            Checks.notNull(reason, "reason");
        }
    }

    /**
     * The job is given back at once, as if it had not been claimed: the attempt is not counted.
     *
     * @param handle the handle of the attempt
     */
    record Release(String handle) implements JobSettlement {

        /** Checks the handle. */
        public Release {
            Checks.notNull(handle, "handle");
        }
    }

    /**
     * The worker needs more time: the lease lasts at least this long from now. It is never shortened.
     *
     * @param handle the handle of the attempt
     * @param lease the time from now, by Redis' clock, at least 1 s
     */
    record Extend(String handle, Duration lease) implements JobSettlement {

        /** Checks the values. */
        public Extend {
            Checks.notNull(handle, "handle");
            Checks.lease(lease);
        }
    }

    /**
     * The worker reports how far it is. The lease is not extended.
     *
     * @param handle the handle of the attempt
     * @param progress replaces the progress that was reported before
     */
    record Report(String handle, Progress progress) implements JobSettlement {

        /** Checks the values. */
        public Report {
            Checks.notNull(handle, "handle");
            Checks.notNull(progress, "progress");
        }
    }
}

package io.delayjob;

import io.delayjob.support.Checks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The end of an attempt at a claimed job, a longer lease for it, or its progress; see {@link DelayJobClaims#settle}. */
public sealed interface JobSettlement {

    /** The handle of the attempt; see {@link ClaimedJob#handle}. */
    String handle();

    /**
     * The attempt succeeded: the job is {@link JobState#COMPLETED}.
     *
     * @param handle the handle of the attempt
     * @param result the result as JSON of at most 8192 bytes, kept if the queue retains finished jobs; null for none
     */
    record Complete(String handle, @Nullable String result) implements JobSettlement {

        /** Checks the values. */
        public Complete {
            Checks.notNull(handle, "handle");
        }

        /** Leaves out the handle, which gives the right to settle, and the result, which may be secret. */
        @Override
        public String toString() {
            return "Complete[]";
        }
    }

    /**
     * The attempt failed. Another one follows; if it was the last that the job may have, the job is {@link JobState#DEAD}.
     *
     * @param handle the handle of the attempt
     * @param delay the wait before the next attempt; null for the backoff of the job's request, or else of its queue
     * @param error why it failed; stored with the job, cut to 8192 characters
     */
    record Retry(String handle, @Nullable Duration delay, String error) implements JobSettlement {

        /** Checks the values. */
        public Retry {
            Checks.notNull(handle, "handle");
            Checks.ifGiven(delay, Checks::delay);
            Checks.notNull(error, "error");
        }

        /** Leaves out the handle, which gives the right to settle, and the error, which may be secret. */
        @Override
        public String toString() {
            return "Retry[delay=" + delay + "]";
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

        /** Leaves out the handle, which gives the right to settle, and the reason, which may be secret. */
        @Override
        public String toString() {
            return "Bury[]";
        }
    }

    /**
     * The job is given back at once, as if it had not been claimed: the attempt is not counted.
     *
     * @param handle the handle of the attempt
     * @param slowKey for how long from now no job with the same {@link JobOptions#key key} begins, at least 1 ms, because the worker was told to slow
     *     down; without a key, no job of its queue. Null to slow nothing down
     */
    record Release(String handle, @Nullable Duration slowKey) implements JobSettlement {

        /** Checks the values. */
        public Release {
            Checks.notNull(handle, "handle");
            Checks.ifGiven(slowKey, time -> Checks.positive(time, "slowKey"));
        }

        /** Slows nothing down. */
        public Release(String handle) {
            this(handle, null);
        }

        /** Leaves out the handle, which gives the right to settle. */
        @Override
        public String toString() {
            return "Release[]";
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

        /** Leaves out the handle, which gives the right to settle. */
        @Override
        public String toString() {
            return "Extend[lease=" + lease + "]";
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

        /** Leaves out the handle, which gives the right to settle. */
        @Override
        public String toString() {
            return "Report[progress=" + progress + "]";
        }
    }
}

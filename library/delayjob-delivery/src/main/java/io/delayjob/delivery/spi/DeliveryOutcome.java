package io.delayjob.delivery.spi;

import io.delayjob.support.Checks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Outcome of one call to a target. */
public sealed interface DeliveryOutcome {

    /**
     * The target has confirmed the job, which is then completed.
     *
     * @param result the result of the job as JSON of at most 8192 bytes; null for none
     */
    record Delivered(@Nullable String result) implements DeliveryOutcome {}

    /**
     * The target asks to be left alone. The attempt has failed, and nothing is sent there until the delay is over.
     *
     * @param delay how long, zero or more
     * @param reason the reason that the target gave
     */
    record RetryAfter(Duration delay, String reason) implements DeliveryOutcome {

        /** Checks the values. */
        public RetryAfter {
            Checks.notNegative(delay, "delay");
            Checks.notNull(reason, "reason");
        }
    }

    /**
     * The target wants no more jobs, ever. Its topic is unbound on all nodes; the job is given back and waits with those that follow.
     *
     * @param reason the reason that the target gave
     */
    record Gone(String reason) implements DeliveryOutcome {

        /** Checks the reason. */
        public Gone {
            Checks.notNull(reason, "reason");
        }
    }

    /**
     * The target did not answer, or said that it does not work now. The attempt has failed; many failures in a row keep all jobs from the
     * target for a while.
     *
     * @param reason why
     */
    record Failed(String reason) implements DeliveryOutcome {

        /** Checks the reason. */
        public Failed {
            Checks.notNull(reason, "reason");
        }
    }

    /**
     * The target works, and does not take this job. The attempt has failed.
     *
     * @param reason the reason that the target gave
     */
    record Refused(String reason) implements DeliveryOutcome {

        /** Checks the reason. */
        public Refused {
            Checks.notNull(reason, "reason");
        }
    }

    /**
     * Something on this side kept the call from being made, so it says nothing of the target. The job is given back, unspent, and is delivered again
     * after a moment.
     *
     * @param reason why
     */
    record GivenBack(String reason) implements DeliveryOutcome {

        /** Checks the reason. */
        public GivenBack {
            Checks.notNull(reason, "reason");
        }
    }

    /**
     * No attempt can deliver this job, such as one that is larger than a broker takes. It is dead at once.
     *
     * @param reason why
     */
    record Undeliverable(String reason) implements DeliveryOutcome {

        /** Checks the reason. */
        public Undeliverable {
            Checks.notNull(reason, "reason");
        }
    }
}

package io.delayjob.engine.internal.consuming;

import java.time.Duration;
import java.util.Collection;

/** Ends the running jobs of queues, without spending an attempt. The queues go through its steps together, and share its time. */
public final class Stop {

    /** How long calls to Redis that are under way may hold it up: claims, settlements, feeds. */
    private static final Duration CALL = Duration.ofSeconds(4);

    private static final Duration GRACE = Duration.ofMillis(500);

    private final Collection<QueueConsumer> queues;

    public Stop(Collection<QueueConsumer> queues) {
        this.queues = queues;
    }

    /** Waits for running jobs until the deadline, and for interrupted ones and Redis for some seconds more. */
    public void run(Deadline jobs) throws InterruptedException {
        try {
            queues.forEach(QueueConsumer::stopTaking);
            each(Deadline.after(CALL), QueueConsumer::awaitTaken);
            each(jobs, QueueConsumer::drain);
            each(Deadline.after(GRACE), QueueConsumer::awaitInterrupted);
            each(Deadline.after(CALL), QueueConsumer::awaitSettled);
            queues.forEach(QueueConsumer::stopFeeding);
            each(Deadline.after(CALL), QueueConsumer::awaitFed);
        } finally {
            queues.forEach(QueueConsumer::leave);
        }
    }

    /** A step that waits until a deadline at most. */
    private interface Step {
        void run(QueueConsumer queue, Deadline deadline) throws InterruptedException;
    }

    private void each(Deadline deadline, Step step) throws InterruptedException {
        for (QueueConsumer queue : queues) {
            step.run(queue, deadline);
        }
    }
}

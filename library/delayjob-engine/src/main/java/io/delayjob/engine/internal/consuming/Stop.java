package io.delayjob.engine.internal.consuming;

import java.time.Duration;
import java.util.Collection;

/** Stops queues without spending attempts of their jobs. The queues go through the steps together and share their time limits. */
public final class Stop {

    /** How long a stop waits for calls to Redis that are under way: claims, settlements, feeds. */
    private static final Duration CALL = Duration.ofSeconds(4);

    private static final Duration GRACE = Duration.ofMillis(500);

    private final Collection<QueueConsumer> queues;

    public Stop(Collection<QueueConsumer> queues) {
        this.queues = queues;
    }

    /** Waits for running jobs until the deadline, and then some seconds more for interrupted jobs and for Redis. */
    public void run(Deadline jobs) throws InterruptedException {
        try {
            queues.forEach(QueueConsumer::stopTaking);
            each(Deadline.after(CALL), QueueConsumer::awaitTaken);
            queues.forEach(QueueConsumer::leaveFleet);
            each(jobs, QueueConsumer::drain);
            each(Deadline.after(GRACE), QueueConsumer::awaitInterrupted);
            each(Deadline.after(CALL), QueueConsumer::awaitSettled);
            each(Deadline.after(CALL), QueueConsumer::awaitFed);
        } finally {
            queues.forEach(QueueConsumer::leave);
        }
    }

    /** A step that waits no longer than its deadline. */
    private interface Step {
        void run(QueueConsumer queue, Deadline deadline) throws InterruptedException;
    }

    private void each(Deadline deadline, Step step) throws InterruptedException {
        for (QueueConsumer queue : queues) {
            step.run(queue, deadline);
        }
    }
}

package io.delayjob.test;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobEvent;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The events and submits since the test began. Thread-safe. */
final class Recording {

    private final VirtualTime time;
    private final List<JobEvent> events = new ArrayList<>();
    private final List<SubmittedJob> submitted = new ArrayList<>();
    private final List<String> deferred = new ArrayList<>();

    Recording(VirtualTime time) {
        this.time = time;
    }

    synchronized void clear() {
        events.clear();
        submitted.clear();
        deferred.clear();
    }

    synchronized void add(JobEvent event) {
        events.add(event);
        if (event instanceof JobEvent.Submitted submit) {
            submitted.add(submitted(submit));
            deferred.remove(submit.id());
        }
        notifyAll();
    }

    /** Waits, in real time, until events of other threads have made a condition true; false if it is not true in time. */
    synchronized boolean await(BooleanSupplier reached, Duration atMost) {
        long end = System.nanoTime() + atMost.toNanos();
        while (!reached.getAsBoolean()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            waitNanos(left);
        }
        return true;
    }

    private void waitNanos(long nanos) {
        try {
            TimeUnit.NANOSECONDS.timedWait(this, nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for other threads", e);
        }
    }

    private SubmittedJob submitted(JobEvent.Submitted event) {
        Instant now = time.now();
        DelayJobRequest<?> request = event.request();
        return new SubmittedJob(
                JobNames.of(request), event.queue(), event.id(), event.outcome(), request, now, dueAt(event, now));
    }

    private static Instant dueAt(JobEvent.Submitted event, Instant now) {
        Duration delay = event.delay();
        Instant dueAt = event.dueAt();
        return dueAt != null ? dueAt : now.plusMillis(delay == null ? 0 : Checks.ceilMillis(delay));
    }

    /** Records a submit that waits for the commit of its transaction. */
    synchronized void deferred(String id) {
        deferred.add(id);
    }

    synchronized int deferred() {
        return deferred.size();
    }

    synchronized List<SubmittedJob> submitted() {
        return List.copyOf(submitted);
    }

    synchronized List<JobEvent> events() {
        return List.copyOf(events);
    }

    /** The attempt that began last, formatted for a message; null if none did. */
    synchronized @Nullable String lastAttempt() {
        for (int i = events.size() - 1; i >= 0; i--) {
            if (events.get(i) instanceof JobEvent.Claimed claimed) {
                return JobNames.display(String.valueOf(claimed.job())) + " '" + claimed.id() + "' in queue '"
                        + claimed.queue() + "'";
            }
        }
        return null;
    }
}

package io.delayjob.engine.internal.consuming;

import org.jspecify.annotations.Nullable;

/**
 * The signal that a taker waits for: the doorbell, its alarm, or the end. A signal that comes before the wait is kept. Thread-safe.
 */
final class WakeSignal implements Wake {

    private boolean rung;
    private boolean closed;
    private @Nullable Long sooner;
    private @Nullable Runnable onceClaimed;

    @Override
    public synchronized boolean ring() {
        rung = true;
        notifyAll();
        return true;
    }

    @Override
    public synchronized void alarmBy(long nanos) {
        if (sooner == null || nanos - sooner < 0) {
            sooner = nanos;
            notifyAll();
        }
    }

    /** Ends all waits. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** Waits until the doorbell rings or the alarm, a {@link System#nanoTime}, is reached; true if it rang. */
    synchronized boolean await(long alarmNanos) throws InterruptedException {
        long nanos = nanosTo(alarmNanos);
        while (!rung && !closed && nanos > 0) {
            wait(nanos / 1_000_000, (int) (nanos % 1_000_000));
            nanos = nanosTo(alarmNanos);
        }
        boolean wasRung = rung;
        rung = false;
        sooner = null;
        return wasRung;
    }

    private long nanosTo(long alarmNanos) {
        long end = sooner != null && sooner - alarmNanos < 0 ? sooner : alarmNanos;
        return end - System.nanoTime();
    }

    @Override
    public synchronized void onceClaimed(Runnable then) {
        onceClaimed = then;
    }

    /** A claim was answered. */
    void claimed() {
        Runnable then = taken();
        if (then != null) {
            then.run();
        }
    }

    private synchronized @Nullable Runnable taken() {
        Runnable then = onceClaimed;
        onceClaimed = null;
        return then;
    }
}

package io.delayjob.redisson.internal.engine;

import org.jspecify.annotations.Nullable;

/** What a taker waits on: the doorbell, its alarm, or the end. A ring that comes early is kept. Thread-safe. */
final class WakeSignal {

    private boolean rung;
    private boolean closed;
    private @Nullable Runnable onceClaimed;

    /** The doorbell rang. */
    synchronized void ring() {
        rung = true;
        notifyAll();
    }

    /** Nobody waits any more. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    /** Waits until the doorbell rings or the alarm, a {@link System#nanoTime}, is reached; true if it rang. */
    synchronized boolean await(long alarmNanos) throws InterruptedException {
        while (!rung && !closed) {
            long nanos = alarmNanos - System.nanoTime();
            if (nanos <= 0) {
                return false;
            }
            wait(nanos / 1_000_000, (int) (nanos % 1_000_000));
        }
        boolean wasRung = rung;
        rung = false;
        return wasRung;
    }

    /** Does that once, after the next claim. */
    synchronized void onceClaimed(Runnable then) {
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

package io.delayjob.engine.internal.actors;

import io.delayjob.Backoff;
import io.delayjob.engine.ledger.LedgerException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that repeats one step. It survives whatever a step throws, waits longer the more steps fail in a row, and ends when it
 * is stopped or the Redis client is shut down.
 */
public abstract class Actor {

    private static final Logger log = LoggerFactory.getLogger(Actor.class);

    private final String name;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Failures failures;
    private volatile Duration later = Duration.ZERO;
    private volatile @Nullable Thread thread;

    protected Actor(String name, Backoff pause) {
        this.name = name;
        this.failures = new Failures(name, pause);
    }

    /** Runs one step; must return soon after {@link #stop}. */
    protected abstract void step() throws InterruptedException;

    /** Runs once after the last step. */
    protected void ended() {}

    public final void start() {
        Thread begun = new Thread(this::run, name);
        begun.setDaemon(true);
        begun.start();
        thread = begun;
    }

    /** Starts the actor, with its first step after a delay. */
    public final void start(Duration first) {
        later = first;
        start();
    }

    /** Ends the actor after its current step. */
    public void stop() {
        stopped.countDown();
    }

    protected final boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** The fault that prevents it from working; null if there is none. Occasional failures do not count. */
    public final @Nullable String fault() {
        Thread begun = thread;
        if (isStopped() || begun == null) {
            return null;
        }
        return begun.isAlive() ? failures.fault() : name + " has ended";
    }

    /** Waits until the thread has ended; false if it did not in time. */
    public final boolean awaitEnd(Duration atMost) throws InterruptedException {
        Thread begun = thread;
        if (begun == null) {
            return true;
        }
        begun.join(Math.max(1, atMost.toMillis()));
        return !begun.isAlive();
    }

    /** Waits, at most until {@link #stop}. */
    protected final void pause(Duration time) throws InterruptedException {
        boolean unused = stopped.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void run() {
        try {
            pause(later);
            while (!isStopped()) {
                runStep();
            }
        } catch (InterruptedException e) {
            log.debug("{} was interrupted and ends", name);
        } finally {
            end();
        }
    }

    private void end() {
        try {
            ended();
        } catch (RuntimeException e) {
            log.debug("{} ended with a failure", name, e);
        }
    }

    private void runStep() throws InterruptedException {
        try {
            step();
            failures.over();
        } catch (LedgerException e) {
            if (e.kind() == LedgerException.Kind.SHUT_DOWN) {
                log.debug("{} ends: {}", name, e.getMessage());
                stop();
            } else {
                failed(e);
            }
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    private void failed(Throwable failure) throws InterruptedException {
        if (!isStopped()) {
            pause(failures.add(failure));
        }
    }
}

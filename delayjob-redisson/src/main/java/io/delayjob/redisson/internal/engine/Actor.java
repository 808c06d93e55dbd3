package io.delayjob.redisson.internal.engine;

import io.delayjob.Backoff;
import io.delayjob.redisson.internal.ledger.LedgerException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that does one step over and over. It survives whatever a step throws, waits longer the more steps fail in a row, and
 * ends when it is stopped or the client below it is shut down.
 */
abstract class Actor {

    private static final Logger log = LoggerFactory.getLogger(Actor.class);
    private static final Backoff PAUSE = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), 2, 0.5);

    private final String name;
    private final Thread thread;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private int failures;

    Actor(String name) {
        this.name = name;
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    /** One step; returns soon after {@link #stop}. */
    abstract void step() throws InterruptedException;

    /** Runs once after the last step. */
    void ended() {}

    final void start() {
        thread.start();
    }

    /** Asks the actor to end after its step. */
    void stop() {
        stopped.countDown();
    }

    /** Ends a wait of the actor's thread. */
    final void interrupt() {
        thread.interrupt();
    }

    final boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** Waits for the end; false if it did not come in time. */
    final boolean awaitEnd(Duration atMost) throws InterruptedException {
        thread.join(Math.max(1, atMost.toMillis()));
        return !thread.isAlive();
    }

    /** Waits, but not past {@link #stop}. */
    final void pause(Duration time) throws InterruptedException {
        boolean unused = stopped.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void run() {
        try {
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
            succeeded();
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

    private void succeeded() {
        if (failures > 0) {
            log.info("{} goes on, after {} failed", name, failures == 1 ? "one step" : failures + " steps");
            failures = 0;
        }
    }

    private void failed(Throwable failure) throws InterruptedException {
        failures++;
        if (isStopped()) {
            return;
        }
        Duration wait = PAUSE.after(failures, ThreadLocalRandom.current());
        if (failures == 1) {
            warn(failure);
        } else {
            log.debug("{} failed {} times, next try in {}", name, failures, wait, failure);
        }
        pause(wait);
    }

    private void warn(Throwable failure) {
        if (failure instanceof LedgerException) {
            log.warn("{} tries again until it succeeds: {}", name, failure.getMessage());
        } else {
            log.warn("{} failed and tries again until it succeeds", name, failure);
        }
    }
}

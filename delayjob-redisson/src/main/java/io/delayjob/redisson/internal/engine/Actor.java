package io.delayjob.redisson.internal.engine;

import io.delayjob.Backoff;
import io.delayjob.redisson.internal.ledger.LedgerException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that does one step over and over. It survives whatever a step throws, waits longer the more steps fail in a row, and
 * ends when it is stopped or the client below it is shut down.
 */
abstract class Actor {

    private static final Logger log = LoggerFactory.getLogger(Actor.class);
    private static final Backoff PAUSE = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), 2, 0.5);

    /** About 3 s: what a failover takes is no trouble yet. */
    private static final int TROUBLED = 5;

    private final String name;
    private final Thread thread;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean started;

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
        started = true;
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

    /** What keeps it from its work; null if nothing does. A step that fails now and then is nothing. */
    final @Nullable String trouble() {
        if (isStopped() || !started) {
            return null;
        }
        if (!thread.isAlive()) {
            return name + " has ended";
        }
        int failed = failures.get();
        return failed < TROUBLED ? null : name + " has failed " + failed + " times in a row";
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
        int failed = failures.getAndSet(0);
        if (failed > 0) {
            log.info("{} goes on, after {} failed", name, failed == 1 ? "one step" : failed + " steps");
        }
    }

    private void failed(Throwable failure) throws InterruptedException {
        int failed = failures.incrementAndGet();
        if (isStopped()) {
            return;
        }
        Duration wait = PAUSE.after(failed, ThreadLocalRandom.current());
        if (failed == 1) {
            warn(failure);
        } else {
            log.debug("{} failed {} times, next try in {}", name, failed, wait, failure);
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

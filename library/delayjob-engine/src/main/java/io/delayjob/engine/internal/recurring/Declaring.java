package io.delayjob.engine.internal.recurring;

import io.delayjob.DelayJobException;
import io.delayjob.engine.handler.DeclaredSchedule;
import io.delayjob.engine.internal.actors.Failures;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores the schedules that this node declares, and notes each minute that it still does, on a thread of its own. */
public final class Declaring {

    private static final Duration AGAIN = Duration.ofMinutes(1);

    private static final Logger log = LoggerFactory.getLogger(Declaring.class);

    private final Consumer<DeclaredSchedule> store;
    private final Runnable again;
    private final Duration pause;
    private final Deque<DeclaredSchedule> left;
    private final Failures failures = new Failures("delayjob-schedules", Failures.PATIENT);
    private final Thread thread = new Thread(this::run, "delayjob-schedules");

    private Declaring(
            Consumer<DeclaredSchedule> store, Runnable again, Duration pause, Collection<DeclaredSchedule> declared) {
        this.store = store;
        this.again = again;
        this.pause = pause;
        this.left = new ArrayDeque<>(declared);
        thread.setDaemon(true);
    }

    /**
     * Begins to store schedules. One that cannot be stored now is tried again after the others.
     *
     * @param store stores a schedule; a {@link DelayJobException} says that it can be tried again
     * @param again notes that those which were stored are still declared
     */
    public static Declaring start(
            Consumer<DeclaredSchedule> store, Runnable again, Collection<DeclaredSchedule> declared) {
        return start(store, again, AGAIN, declared);
    }

    static Declaring start(
            Consumer<DeclaredSchedule> store, Runnable again, Duration pause, Collection<DeclaredSchedule> declared) {
        Declaring declaring = new Declaring(store, again, pause, declared);
        if (!declared.isEmpty()) {
            declaring.thread.start();
        }
        return declaring;
    }

    /** Stops, whether all are stored or not. Does not block. */
    public void stop() {
        thread.interrupt();
    }

    private void run() {
        try {
            while (!left.isEmpty()) {
                declare(left.remove());
            }
            while (true) {
                Thread.sleep(pause.toMillis());
                declareAgain();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void declare(DeclaredSchedule next) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        try {
            store.accept(next);
            failures.over();
        } catch (DelayJobException e) {
            left.add(next);
            Thread.sleep(failures.add(e).toMillis());
        } catch (RuntimeException e) {
            log.error("schedule '{}' is not stored", next.schedule().name(), e);
        }
    }

    private void declareAgain() {
        try {
            again.run();
            failures.over();
        } catch (RuntimeException e) {
            // The next minute notes it.
            failures.add(e);
        }
    }
}

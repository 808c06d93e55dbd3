package io.delayjob.journal.internal.writing;

import io.delayjob.journal.internal.tables.Database;
import io.delayjob.journal.internal.tables.LockTable;
import java.time.Duration;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Removes rows that are older than they are kept: one node of the fleet at a time, a small part in each transaction, and half of the
 * time not at all, so that it never holds many locks nor keeps the database from its work.
 */
public final class Sweeper implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(Sweeper.class);
    private static final String LOCK = "retention";

    /** The rows of a part. */
    static final int PART = 1000;

    private static final Duration IDLE = Duration.ofMinutes(1);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(20);

    /** Longer than any pause, so that a node goes on until it is done. */
    private static final Duration LOCKED = Duration.ofMinutes(2);

    private final Database database;
    private final LockTable locks;
    private final String node;
    private final KeptFor keptFor;
    private final Outage outage = new Outage("old rows of the journal cannot be removed");
    private final Schedule schedule = new Schedule();
    private volatile boolean running;

    /**
     * Removes nothing until it is started.
     *
     * @param node this node's name
     */
    public Sweeper(Database database, LockTable locks, String node, KeptFor keptFor) {
        this.database = database;
        this.locks = locks;
        this.node = node;
        this.keptFor = keptFor;
    }

    @Override
    public synchronized void start() {
        if (!running) {
            running = true;
            schedule.add(this::run);
            schedule.start("delayjob-journal-sweeper", 1);
        }
    }

    @Override
    public synchronized void stop() {
        if (running) {
            running = false;
            try {
                schedule.stop(Duration.ofSeconds(5));
                locks.release(LOCK, node);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                log.debug("the lock of the sweeper ends by itself", e);
            }
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    private Duration run() {
        try {
            Duration pause = locks.take(LOCK, node, LOCKED) ? sweep() : IDLE;
            outage.over(this);
            return pause;
        } catch (RuntimeException e) {
            return outage.failed(this, e);
        }
    }

    /** Removes a part; answers how long to wait before the next. */
    Duration sweep() {
        long began = System.nanoTime();
        long now = database.jobs().now();
        int jobs = removed(
                () -> database.jobs().removeFinished(now - keptFor.jobs().toMillis(), PART));
        int steps =
                removed(() -> database.flow().removeOld(now - keptFor.steps().toMillis(), PART));
        int schedules = removed(
                () -> database.schedules().deleteRemoved(now - keptFor.jobs().toMillis(), PART));
        if (jobs > 0 || steps > 0 || schedules > 0) {
            log.debug(
                    "removed the rows of {} finished jobs, {} steps and {} removed schedules", jobs, steps, schedules);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        boolean more = jobs >= PART || steps >= PART || schedules >= PART;
        return !more ? IDLE : took.compareTo(SHORTEST_PAUSE) > 0 ? took : SHORTEST_PAUSE;
    }

    /** In a transaction of the journal's own, whose isolation locks no gaps between rows. */
    private int removed(IntSupplier part) {
        return Objects.requireNonNull(database.own().execute(status -> part.getAsInt()));
    }
}

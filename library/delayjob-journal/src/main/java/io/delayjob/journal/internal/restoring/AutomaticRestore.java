package io.delayjob.journal.internal.restoring;

import io.delayjob.DelayJobException;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.journal.internal.tables.Loss;
import io.delayjob.journal.internal.writing.LossListener;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Restores, without being asked, what Redis has lost because it was emptied or put back. Not what happened while nothing was logged:
 * then jobs may have finished that the journal has as unfinished. Every node looks for losses, so that one that dies holds nothing up.
 */
public final class AutomaticRestore implements LossListener, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(AutomaticRestore.class);
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofMillis(200);
    private static final Duration TO_STOP = Duration.ofSeconds(5);

    private final Consumer<Runnable> restore;
    private final Duration betweenLooks;
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, AutomaticRestore::daemon);

    /** Whether the last try failed. Used by the thread only. */
    private boolean failing;

    /**
     * Does nothing until it is started.
     *
     * @param restore restores everything that was lost, if something was; calls the Runnable again and again, which throws if it is to stop
     */
    public AutomaticRestore(Consumer<Runnable> restore) {
        this(restore, BETWEEN_LOOKS);
    }

    AutomaticRestore(Consumer<Runnable> restore, Duration betweenLooks) {
        this.restore = restore;
        this.betweenLooks = betweenLooks;
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "delayjob-journal-restore");
        thread.setDaemon(true);
        return thread;
    }

    /** Begins to look for losses. */
    public void start() {
        long millis = betweenLooks.toMillis();
        var unused = thread.scheduleWithFixedDelay(this::look, millis, millis, TimeUnit.MILLISECONDS);
    }

    /** Looks soon: first the jobs that Redis has get rows. */
    @Override
    public void lost(ShardId shard, Loss loss, long lostAtMillis) {
        try {
            if (loss == Loss.REPLACED) {
                var unused = thread.schedule(this::look, SOON.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (RejectedExecutionException e) {
            log.debug("{} is left to other nodes or the next start", shard, e);
        }
    }

    private void look() {
        try {
            restore.accept(this::goOn);
            failing = false;
        } catch (RuntimeException e) {
            if (!failing && !thread.isShutdown()) {
                log.warn("what Redis has lost is not restored yet, and tried again until it is: {}", e.getMessage());
            }
            log.debug("not restored", e);
            failing = true;
        }
    }

    private void goOn() {
        if (thread.isShutdown()) {
            throw new DelayJobException("this node stops; another one, or its next start, restores the rest", null);
        }
    }

    /** Stops. A restore that is under way ends after its next step. */
    @Override
    public void close() {
        // Not interrupted: a file of H2 would be closed.
        thread.shutdown();
        try {
            if (!thread.awaitTermination(TO_STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                log.info("a restore still waits for an answer; it ends after that");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

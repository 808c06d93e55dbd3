package io.delayjob.engine.internal.claiming;

import io.delayjob.Backoff;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.consuming.NodeActors;
import io.delayjob.engine.internal.consuming.Presence;
import io.delayjob.engine.internal.consuming.Wake;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.internal.running.Room;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.LedgerException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Watches for the due jobs of one shard on behalf of the claims that wait: hears the doorbell, and sets an alarm by each answer to a
 * claim, as a taker does. Started once and stopped once. Thread-safe.
 */
final class ShardWatch implements Wake {

    /** After a claim that failed. */
    private static final Backoff PAUSE = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(2));

    private final BooleanSupplier due;
    private final ScheduledExecutorService scheduler;
    private final Presence presence;

    private @Nullable ScheduledFuture<?> alarm;
    private long alarmNanos;
    private boolean stopped;
    /** Whether the doorbell rang since the last claim, so that this node claims the next job without a grace. */
    private boolean rung;

    private int failures;
    private @Nullable Runnable onceClaimed;

    /**
     * A watch.
     *
     * @param name the name of this node as one that claims for others
     * @param room how many claims wait
     * @param due lets a claim that waits ask for due jobs; false if none waits
     */
    ShardWatch(Shard shard, String name, Duration lease, Room room, BooleanSupplier due, Node node) {
        this.due = due;
        this.scheduler = node.scheduler();
        this.presence = Presence.of(shard, name, lease, room, this, node);
    }

    void start(NodeActors actors) {
        presence.start(actors);
    }

    void stop(NodeActors actors) {
        presence.stop(actors);
        synchronized (this) {
            stopped = true;
            cancelAlarm();
        }
    }

    /** Removes the node from the fleet. Does not block. */
    void leave() {
        presence.leave();
    }

    boolean isMixed() {
        return presence.isMixed();
    }

    /** Jobs were passed on to nodes that can take them, as this one can. */
    void passedOn() {
        presence.passedOn();
    }

    /** Lets another node hear of due jobs for which no claim waits here. */
    void ringAnother() {
        presence.ringAnother();
    }

    Stream<String> faults() {
        return presence.faults();
    }

    @Override
    public boolean ring() {
        synchronized (this) {
            rung = true;
        }
        return due.getAsBoolean() || !presence.hasOthers();
    }

    /** As a taker without a free worker does, the holder rings another node if nobody waits here. */
    private void alarm() {
        if (!due.getAsBoolean() && presence.isHolder()) {
            presence.ringAnother();
        }
    }

    @Override
    public synchronized void alarmBy(long nanos) {
        if (alarm == null || alarm.isDone() || nanos - alarmNanos < 0) {
            alarmAt(nanos);
        }
    }

    @Override
    public synchronized void onceClaimed(Runnable then) {
        onceClaimed = then;
    }

    /** A claim was answered. While more is due there is no alarm: the claim asks again, or lets the next one do so. */
    void answered(Claimed answer) {
        synchronized (this) {
            failures = 0;
            Duration wait = presence.claimed(answer, rung);
            rung = false;
            if (!ShardClaims.isMoreDue(answer)) {
                alarmAt(System.nanoTime() + wait.toNanos());
            }
        }
        claimed();
    }

    /** A claim failed. */
    void failed(LedgerException failure) {
        synchronized (this) {
            failures++;
            alarmAt(System.nanoTime() + PAUSE.waitAfter(failures, failure).toNanos());
        }
        claimed();
    }

    private void claimed() {
        Runnable then;
        synchronized (this) {
            then = onceClaimed;
            onceClaimed = null;
        }
        if (then != null) {
            then.run();
        }
    }

    private void alarmAt(long nanos) {
        cancelAlarm();
        alarmNanos = nanos;
        if (stopped) {
            return;
        }
        try {
            alarm = scheduler.schedule(this::alarm, nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // The engine is closed.
            stopped = true;
        }
    }

    private void cancelAlarm() {
        if (alarm != null) {
            alarm.cancel(false);
        }
    }
}

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
    /** Whether the doorbell rang since the last claim, so that this node claims the next job with the head start. */
    private boolean rung;

    /** When an answer last came. */
    private long answeredNanos = System.nanoTime();
    /** Whether the queue is busy, so that other nodes poll. */
    private boolean busy;
    /** Whether another node has heard of jobs that claims left here. */
    private boolean told;

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

    /**
     * A claim left due jobs behind, and none waits here. Another node hears of that once, until nothing is due or the doorbell leads a
     * claim here again: from then on the nodes whose claims wait tell each other.
     */
    void leftDue() {
        synchronized (this) {
            if (told || busy) {
                return;
            }
            told = true;
        }
        presence.ringAnother();
    }

    Stream<String> faults() {
        return presence.faults();
    }

    @Override
    public boolean ring() {
        boolean toldBefore;
        synchronized (this) {
            rung = true;
            toldBefore = told;
            told = false;
        }
        if (due.getAsBoolean()) {
            return true;
        }
        synchronized (this) {
            told |= toldBefore;
        }
        return !presence.hasOthers();
    }

    /** Lets a waiting claim ask for due jobs; if none waits, the holder rings another node, as a taker without a free worker does. */
    private void alarm() {
        synchronized (this) {
            if (alarmNanos - System.nanoTime() <= 0) {
                alarm = null;
            }
        }
        if (!due.getAsBoolean() && presence.isHolder()) {
            presence.ringAnother();
        }
    }

    @Override
    public synchronized void alarmBy(long nanos) {
        if (alarm == null || nanos - alarmNanos < 0) {
            alarmAt(nanos);
        }
    }

    @Override
    public synchronized void onceClaimed(Runnable then) {
        onceClaimed = then;
    }

    /**
     * A claim was answered. While more is due there is no alarm: the claim asks again, or lets the next one do so.
     *
     * @param askedNanos when it asked; what it was told may be older than an answer that came since
     */
    void answered(Claimed answer, long askedNanos) {
        synchronized (this) {
            failures = 0;
            busy = answer.mode() == Claimed.Mode.BUSY;
            long next = System.nanoTime() + presence.claimed(answer, rung).toNanos();
            rung = false;
            boolean overlaps = askedNanos - answeredNanos < 0;
            answeredNanos = System.nanoTime();
            if (!ShardClaims.isMoreDue(answer)) {
                told = false;
                if (overlaps) {
                    alarmBy(next);
                } else {
                    alarmAt(next);
                }
            }
        }
        claimed();
    }

    /** A claim failed. What an answer said of the next job still holds. */
    void failed(LedgerException failure) {
        synchronized (this) {
            failures++;
            alarmBy(System.nanoTime() + PAUSE.waitAfter(failures, failure).toNanos());
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
            alarm = null;
        }
    }
}

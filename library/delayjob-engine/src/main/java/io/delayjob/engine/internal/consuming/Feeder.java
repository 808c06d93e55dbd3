package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.internal.actors.Failures;
import io.delayjob.engine.internal.actors.Rounds;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.internal.recurring.ScheduleWatch;
import io.delayjob.engine.internal.recurring.ZoneData;
import io.delayjob.engine.internal.running.Room;
import io.delayjob.engine.ledger.Doorbell;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.LedgerException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds one shard: tells the ledger periodically that this node is alive and which jobs it can run. On the holder it also arranges
 * the doorbells of the jobs that are due next, and says when the next schedule fires. One call at a time.
 */
final class Feeder implements Rounds.Visited {

    private static final Logger log = LoggerFactory.getLogger(Feeder.class);

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration HORIZON = Duration.ofSeconds(2);
    private static final Duration HOLD = Duration.ofSeconds(4);
    private static final Duration GRACE = Duration.ofSeconds(2);
    private static final int QUIET_LIMIT = 100;

    /** How long after a job's due time its doorbell rings; normally the holder has claimed the job by then. */
    private static final Duration NOT_CLAIMED = Duration.ofMillis(50);

    private final ServedShard served;
    private final Fleet fleet;
    private final Wake wake;
    private final Feed.Terms terms;
    private final Doorbell doorbell;
    private final Supplier<Collection<String>> names;
    private final DataWatch data;
    private final ScheduleWatch schedules;
    private final List<Runnable> duties;
    private final Failures failures;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private boolean stopped;
    private boolean underWay;
    private @Nullable LedgerException shutDown;
    private long nextNanos = System.nanoTime();
    private boolean known;
    private @Nullable String laterZones;
    private long arrangedMillis;
    private long registeredMillis;
    private volatile long answeredNanos = System.nanoTime();

    /**
     * A feeder.
     *
     * @param duties begin the tasks of the holder after each of its feeds; they wait for nothing
     */
    Feeder(
            ServedShard served,
            Doorbell doorbell,
            Supplier<Collection<String>> names,
            DataWatch data,
            ScheduleWatch schedules,
            List<Runnable> duties) {
        this.served = served;
        this.fleet = served.fleet();
        this.wake = served.wake();
        this.terms = new Feed.Terms(
                HOLD.toMillis(),
                served.lease().toMillis(),
                HORIZON.toMillis(),
                QUIET_LIMIT,
                served.shard().declaredLimits(),
                ZoneData.VERSION);
        this.doorbell = doorbell;
        this.names = names;
        this.data = data;
        this.schedules = schedules;
        this.duties = duties;
        this.failures = new Failures("delayjob-" + served.shard().id() + "-feeder", Failures.PATIENT);
    }

    /** Delays the first feed. */
    synchronized void first(Duration later) {
        nextIn(later);
    }

    @Override
    public synchronized boolean visit() {
        if (shutDown != null) {
            throw shutDown;
        }
        if (!stopped && !underWay && isTime()) {
            underWay = true;
            boolean held = fleet.isHolder();
            Duration period = fleet.watch(PERIOD);
            Futures.call(() -> served.shard().ledger().feed(request(period)))
                    .whenComplete((answer, failure) -> over(answer, failure, held, period));
        }
        return !stopped;
    }

    private boolean isTime() {
        return nextNanos - System.nanoTime() <= 0 || fleet.takeFreeSeat();
    }

    /**
     * Handles the end of a feed. The registration matches the old period, so a period that the answer makes longer starts with the
     * next feed only.
     */
    private synchronized void over(
            Feed.@Nullable Answer answer, @Nullable Throwable failure, boolean held, Duration period) {
        underWay = false;
        nextIn(answer == null ? failed(failure) : answered(answer, held, period));
        if (stopped) {
            end();
        }
    }

    private void nextIn(Duration wait) {
        nextNanos = System.nanoTime() + wait.toNanos();
    }

    private Duration failed(@Nullable Throwable failure) {
        LedgerException known = Futures.ledgerException(failure == null ? new IllegalStateException() : failure);
        if (known.kind() == LedgerException.Kind.SHUT_DOWN) {
            shutDown = known;
        }
        return stopped || shutDown != null ? Duration.ZERO : failures.add(known);
    }

    private Duration answered(Feed.Answer answer, boolean held, Duration period) {
        answeredNanos = System.nanoTime();
        data.heard(answer.pulse(), answer.lostMillis());
        registeredMillis = answer.pulse().fedMillis() + stay(period);
        wakeIfNew(answer.mixed());
        fleet.fed(answer);
        known = answer.known();
        warnOfZones(answer.laterZones());
        try {
            if (answer.holder()) {
                schedules.heard(answer.instantMillis());
                watch(answer.next());
                arrangedMillis = answer.watermarkMillis();
                duties.forEach(Runnable::run);
            } else if (held) {
                leave();
            }
        } catch (RuntimeException e) {
            return failures.add(e);
        }
        failures.over();
        return answer.holder() ? PERIOD : period;
    }

    private void warnOfZones(@Nullable String later) {
        if (later != null && !later.equals(laterZones)) {
            log.warn(
                    "this node has the time zone data {} and another node of queue '{}' has {}, which computes the instants of its schedules."
                            + " Update the JDK of this node, or its tzdata",
                    ZoneData.VERSION,
                    served.shard().id().queue(),
                    later);
        }
        laterZones = later;
    }

    /** Sets the alarm of this node to just before the next job is due, and arranges a ring in case the job is not claimed then. */
    private void watch(Feed.@Nullable Ring next) {
        if (next == null) {
            doorbell.arrange(null);
            return;
        }
        Duration due = Duration.ofMillis(next.delayMillis());
        wake.alarmBy(System.nanoTime() + due.minus(fleet.ahead().dividedBy(2)).toNanos());
        doorbell.arrange(new Feed.Ring(next.id(), due.plus(NOT_CLAIMED).toMillis()));
    }

    /** Whether this node is the holder. */
    boolean isHolder() {
        return fleet.isHolder();
    }

    /** When the ledger last answered; a {@link System#nanoTime}. */
    long answeredNanos() {
        return answeredNanos;
    }

    /** Wakes the taker when this node learns that the fleet is mixed: jobs may already wait for its handlers. */
    private void wakeIfNew(boolean mixed) {
        if (mixed && !fleet.isMixed()) {
            fleet.mixed();
            boolean unused = wake.ring();
        }
    }

    /** The fault that prevents it from feeding; null if there is none. */
    @Nullable String fault() {
        return failures.fault();
    }

    private Feed.Request request(Duration period) {
        Room room = served.room();
        Feed.Presence presence =
                new Feed.Presence(served.node(), stay(period), room.total(), room.free(), known ? null : names.get());
        return new Feed.Request(presence, terms, arrangedMillis, data.last(), registeredMillis);
    }

    /** For how many milliseconds a feed registers this node. */
    private static long stay(Duration period) {
        return period.multipliedBy(3).plus(GRACE).toMillis();
    }

    private void leave() {
        schedules.heard(null);
        arrangedMillis = 0;
        doorbell.leave();
    }

    /** Stops feeding, after the call that is under way. */
    synchronized void stop() {
        stopped = true;
        if (!underWay) {
            end();
        }
    }

    private void end() {
        if (fleet.isHolder()) {
            fleet.leave();
            leave();
        }
        ended.complete(null);
    }

    /** Runs a task once this has ended, which is after the last feed was answered. */
    void onceEnded(Runnable then) {
        var unused = ended.thenRun(then);
    }

    /** Waits until it has ended; false if it did not in time. */
    boolean awaitEnd(Duration atMost) throws InterruptedException {
        try {
            ended.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        }
    }
}
